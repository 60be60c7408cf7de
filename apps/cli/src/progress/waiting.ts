import { type Terminal, safeForTerminal } from '../output/terminal.js';
import { CLEAR_LINE, REDRAW_MS } from './progress-views.js';

const FRAMES = ['|', '/', '-', '\\'];

/** Shows on a terminal that a request runs, and for how long. Elsewhere nothing. */
export async function whileWaiting<T>(
  terminal: Terminal,
  label: string,
  work: Promise<T>,
): Promise<T> {
  if (!terminal.areErrorsShown) return work;
  const startedAt = performance.now();
  let turns = 0;
  const timer = setInterval(() => {
    const seconds = Math.floor((performance.now() - startedAt) / 1_000);
    const line = `${FRAMES[turns++ % FRAMES.length]} ${seconds} s  ${safeForTerminal(label)}`;
    // A line that wraps could not be cleared.
    terminal.draw(`${CLEAR_LINE}${line.slice(0, terminal.columns - 1)}`);
  }, REDRAW_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (turns > 0) terminal.draw(CLEAR_LINE);
  }
}
