/** What a server adds to the page of a table: chat, invitations, programmed moves, clocks and the bell. */

import { Bell } from "./bell.js";
import { extend } from "./table.js";
import { startClocks, startTime } from "./clocks.js";
import { startInvite } from "./invite.js";
import { startProgramming } from "./prepare.js";
import { startChat } from "./chat.js";

extend(({ root, table, toasts, keys }) => {
  const talk = startChat(table);
  const invite = document.getElementById("invite") ? startInvite(table) : null;
  const programming = startProgramming(table, toasts);
  const clocks = root.dataset.time ? startClocks(root) : null;
  const question = document.getElementById("panel-question");
  const bell = document.getElementById("bell") ? new Bell(table, question?.dataset.myTurn === "yes") : null;
  if (document.getElementById("time")) startTime(table);
  keys.add("a", "prepare an answer", () => void programming.open(), "Answering");
  return {
    onUpdate: (update) => {
      if (update.panels.prepared !== undefined) programming.refresh();
      talk.refresh();
      clocks?.show();
      bell?.hear(update.asks_me);
    },
    onEvent: (name) => {
      if (["joined", "presence"].includes(name)) void invite?.refresh();
    },
    onAsking: () => void invite?.refresh(),
  };
});
