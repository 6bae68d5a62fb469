/** What every page does: show its colours, and let them be chosen. */
import { startTheme } from "./theme.js";

const select = /** @type {HTMLSelectElement | null} */ (document.querySelector("#theme"));
select?.closest("label")?.removeAttribute("hidden");
startTheme(select);
