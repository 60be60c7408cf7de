// npm runs scripts in its own process group and forwards signals, but not its own SIGKILL, and on SIGTERM it does
// not wait for them.
import { existsSync, readFileSync } from 'node:fs';

import { identify, isSame } from './processes.mjs';

const watchMs = 1_000;

/**
 * Calls `onGone` once when the npm that started this process is gone: a killed npm ends no child. Returns a function
 * that stops watching.
 */
export function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event) return () => undefined; // run directly: may outlive its shell, as under nohup
  const starters = ancestorsUpToNpm().map(identify);
  const watch = setInterval(() => {
    if (starters.every(isSame)) return;
    clearInterval(watch);
    onGone();
  }, watchMs);
  watch.unref();
  return () => clearInterval(watch);
}

/** npm may run us through a shell, which stays when npm is killed. */
function ancestorsUpToNpm() {
  const parent = process.ppid;
  const stat = existsSync(`/proc/${parent}/stat`)
    ? readFileSync(`/proc/${parent}/stat`, 'utf8')
    : '';
  const name = /\((.*)\)/.exec(stat)?.[1] ?? '';
  const grandparent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return /^(da|ba|z|k)?sh$/.test(name) && grandparent > 1 ? [parent, grandparent] : [parent];
}
