/** Clocks that run: the server says when somebody's time is over, and the page counts down to it. */

const SECOND = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Below so many seconds the time is short. */
const SHORT = 2 * MINUTE;

/** @param {HTMLElement} root the table, which says what time the server has */
export function startClocks(root) {
  const ahead = Date.now() - Date.parse(root.dataset.time ?? "");
  const show = () => {
    for (const clock of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".clock[data-until]"))) {
      const left = (Date.parse(clock.dataset.until ?? "") - (Date.now() - ahead)) / SECOND;
      const words = told(Math.max(0, left));
      if (clock.textContent !== words) clock.textContent = words;
      clock.classList.toggle("short", left < SHORT);
    }
  };
  show();
  window.setInterval(show, SECOND);
  return { show };
}

/**
 * As a clock shows it: `2 d 3 h`, `1:05:09`, `4:30`.
 * @param {number} seconds
 */
export function told(seconds) {
  const whole = Math.floor(seconds);
  if (whole >= DAY) return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`;
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / HOUR), Math.floor((whole % HOUR) / MINUTE)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % MINUTE)}` : `${minutes}:${two(whole % MINUTE)}`;
}
