// Keeps one app running: restarts it when it died by itself, ends it when this process is to end.
import os from 'node:os';

import { say } from './bootstrap.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** The terminal and npm both report one Ctrl-C; a later one is from the user. */
const echoMs = 1_500;
/** Longer than any app takes to drain; only a hung one reaches it. */
const lastResortMs = 120_000;
/** An orderly end, and invalid settings: a restart fixes neither. */
const finalCodes = [0, 78];
/** Delay before the first restart, doubled for each further one in a row. */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** Failures in a row after which it is not restarted; one that lived `wellMs` begins a new row. */
const maxEnds = 6;
const wellMs = 60_000;

/**
 * Runs the child process of `start` (with a channel, over which it reports 'ready') until it ends in an orderly
 * way, is asked to stop, or fails too often. `restarts: false`: one run only. Resolves with the exit code.
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
      // It never became ready and has reported why: a taken port, a read-only folder.
      if (!hasBeenReady && signal === null) return exitCode;
      const how = signal ? `signal ${signal}` : `exit code ${code}`;
      ends = livedMs >= wellMs ? 1 : ends + 1;
      if (ends >= maxEnds) {
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

/** Forwards the signals of this process to the running child. */
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
    /** True as soon as this process is to end; false after `ms`. */
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
