import { getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/**
 * Imported by modules that run in a thread: the event loops have precedence on the processors. On Linux a thread
 * has a niceness of its own (setpriority(2): 0 is the calling thread); elsewhere it would be that of the whole
 * process. It cannot be raised again.
 */
const NICENESS = 4;
if (process.platform === 'linux' && !isMainThread)
  setPriority(0, Math.max(NICENESS, getPriority(0)));
