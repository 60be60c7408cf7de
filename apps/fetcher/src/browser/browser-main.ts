// The browser process: only this process talks to a browser, so that nothing a page does to Playwright or to this process
// ends the service. It is started by browser-process.ts.
import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { BrowserWorker } from './browser-worker.js';
import type { BrowserTerms, FromBrowser, ToBrowser } from './browser-messages.js';
import { guardMemory } from './guard-memory.js';

/** Of the browser process: the event loops of the service have precedence over browsers. */
const NICENESS = 4;

/**
 * Lowers the priority of this process, which the browsers it starts inherit. On Linux that is a property of each
 * thread, and a running Node has several. It cannot be raised again.
 */
function lowerPriority(): void {
  try {
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
    for (const id of threads) setPriority(id, Math.max(NICENESS, getPriority(id)));
  } catch {
    // A thread ended meanwhile, or the process was started with less than that: it runs all the same.
  }
}

const MAX_PROBLEM_CHARS = 2_000;
/** Longest orderly shutdown after the parent is gone. */
const MAX_ORPHANED_MS = 8_000;

let worker: Promise<BrowserWorker> | null = null;
let isDying = false;

/** Lost if the parent is gone, which `disconnect` reports. */
function notify(message: FromBrowser, onSent: () => void = () => {}): void {
  if (process.connected) process.send?.(message, undefined, {}, onSent);
}

/** Logs the reason as one line, once, and exits: the state of this process can no longer be trusted. */
function die(problem: unknown): void {
  if (isDying) return;
  isDying = true;
  const why = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  const fields = { why: why.slice(0, MAX_PROBLEM_CHARS) };
  notify({ type: 'log', level: 'error', text: 'the browser process failed', fields }, () =>
    process.exit(1),
  );
  // In case the message does not get through.
  setTimeout(() => process.exit(1), 500).unref();
}

function start(terms: BrowserTerms): void {
  guardMemory(die, terms.maxProcessMiB);
  worker = BrowserWorker.open(terms, notify);
}

async function end(): Promise<void> {
  await (await worker)?.close();
  process.exit(0);
}

process.on('uncaughtException', die);
process.on('unhandledRejection', die);
// The service ends it once its pages are done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => {
  setTimeout(() => process.exit(1), MAX_ORPHANED_MS).unref();
  void end().catch(() => process.exit(1));
});
process.on('message', (message: ToBrowser) => {
  if (message.type === 'start') start(message.terms);
  else if (message.type === 'close') void end().catch(die);
  else void worker?.then((one) => one.take(message)).catch(die);
});
lowerPriority();
