// Lines and errors for the person at the terminal, and programs run on their behalf.
import { spawn } from 'node:child_process';
import os from 'node:os';

const heartbeatMs = 5_000;

/** A message for the person at the terminal; shown without a stack. */
export class StartProblem extends Error {}

export const say = (line) => console.error(`[trawl] ${line}`);

/** Runs a script's main function: problems are printed as text, and set the exit code. */
export function runMain(main) {
  main().then(
    (code) => {
      process.exitCode = code ?? process.exitCode ?? 0;
    },
    (error) => {
      console.error(error instanceof StartProblem ? `[trawl] ${error.message}` : error);
      process.exitCode = 1;
    },
  );
}

/** Runs a program to its end, and ends it on an interrupt. Returns its exit code and piped output. */
export function runStep(program, args, { killAfterMs, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, options);
    const output = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => output.push(data));
    const forget = passSignalsTo(child, { killAfterMs });
    child.once('error', (error) => {
      forget();
      reject(new StartProblem(`cannot run ${program}: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      forget();
      resolve({ code: code ?? signal, output: Buffer.concat(output).toString() });
    });
  });
}

/**
 * On an interrupt the child ends first, by force after `killAfterMs`, then this process. Returns a function that
 * removes the listeners.
 */
export function passSignalsTo(child, { killAfterMs } = {}) {
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const handler = () => {
      child.once('exit', () => process.exit(128 + os.constants.signals[signal]));
      child.kill(signal === 'SIGINT' ? 'SIGTERM' : signal);
      if (killAfterMs) setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
    };
    process.on(signal, handler);
    return [signal, handler];
  });
  return () => handlers.forEach(([signal, handler]) => process.off(signal, handler));
}

/**
 * A line every few seconds, which shows that a long step is alive.
 * @param words the current step, or a function that returns its progress
 */
export async function withHeartbeat(words, work) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const timer = setInterval(
    () => say(`  ${typeof words === 'function' ? words() : words}, ${seconds()} s`),
    heartbeatMs,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
