// Keeps one app running: starts it again when it died of itself, ends it when we are to end.
import os from 'node:os';

import { say } from './bootstrap.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** The terminal and npm both report one Ctrl-C; what comes later is the user asking again. */
const echoMs = 1_500;
/** Longer than any app takes to drain; only a hung one gets this far. */
const lastResortMs = 120_000;
/** An orderly end, and settings that do not hold: starting again fixes neither. */
const finalCodes = [0, 78];
/** The pause before the first new start, doubled for each further one in a row. */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** Ends in a row after which it is given up; one that lived `wellMs` begins a new row. */
const mostEnds = 6;
const wellMs = 60_000;

/**
 * Runs what `start` starts (a ChildProcess with a channel, over which it says 'ready') until it
 * ends in order, is asked to end, or cannot be kept up. `restarts: false`: one run only. Resolves
 * with the exit code.
 */
export async function supervise(start, { restarts, watchNpm, firstPause = firstPauseMs }) {
  const watch = passSignals();
  const endWatch = watchNpm(() => watch.pass('SIGTERM'));
  let ends = 0;
  let hasBeenReady = false;
  try {
    for (;;) {
      const startedMs = Date.now();
      const { code, signal, isReady } = await runOnce(start(), watch);
      const exitCode = code ?? 128 + os.constants.signals[signal];
      const livedMs = Date.now() - startedMs;
      hasBeenReady ||= isReady;
      if (!restarts || watch.isEnding() || finalCodes.includes(code)) return exitCode;
      // It never came up and has said why: a port that is taken, a folder that cannot be written.
      if (!hasBeenReady && signal === null) return exitCode;
      const how = signal ? `signal ${signal}` : `exit code ${code}`;
      ends = livedMs >= wellMs ? 1 : ends + 1;
      if (ends >= mostEnds) {
        say(
          `the service ended ${ends} times in a row, the last time by ${how}; given up. Its log is above.`,
        );
        return exitCode || 1;
      }
      const pauseMs = Math.min(longestPauseMs, firstPause * 2 ** (ends - 1));
      say(`the service ended by ${how}; starting it again in ${pauseMs / 1_000} s`);
      if (await watch.endsWithin(pauseMs)) return exitCode;
    }
  } finally {
    endWatch();
    watch.close();
  }
}

function runOnce(child, watch) {
  return new Promise((resolve, reject) => {
    let isReady = false;
    watch.follow(child);
    child.on('message', (message) => (isReady ||= message === 'ready'));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (child.connected) child.disconnect();
      resolve({ code, signal, isReady });
    });
  });
}

/** Hands the signals of this process on to the child that runs. */
function passSignals() {
  let child = null;
  let lastPassedMs = 0;
  let isEnding = false;
  let tellEnding = () => {};
  const pass = (signal) => {
    if (Date.now() - lastPassedMs < echoMs) return;
    isEnding = true;
    tellEnding();
    if (lastPassedMs === 0) setTimeout(() => child?.kill('SIGKILL'), lastResortMs).unref();
    lastPassedMs = Date.now();
    child?.kill(signal);
  };
  const listeners = signals.map((signal) => [signal, () => pass(signal)]);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return {
    pass,
    isEnding: () => isEnding,
    follow: (next) => (child = next),
    /** True as soon as we are to end; false after `ms`. */
    endsWithin: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(isEnding), ms);
        tellEnding = () => {
          clearTimeout(timer);
          resolve(true);
        };
        if (isEnding) tellEnding();
      }),
    close: () => listeners.forEach(([signal, listener]) => process.off(signal, listener)),
  };
}
