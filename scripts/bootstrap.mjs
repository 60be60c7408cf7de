// Makes a fresh clone runnable: a sufficient Node for the first steps, the packages of package-lock.json, Node
// 24 from npm, and dist/. Plain Node without packages, because it runs before any is installed.
import { withCloneLock } from './clone-lock.mjs';
import { isForbidden, ownerAdvice } from './install-packages.mjs';
import { root } from './node-version.mjs';
import { say, StartProblem } from './terminal.mjs';

export { ensureInstalled } from './install-packages.mjs';
export { isUnderServiceNode, nodeBinary, root } from './node-version.mjs';
export { passSignalsTo, runMain, runStep, say, StartProblem, withHeartbeat } from './terminal.mjs';

/** Compiles the sources if one changed. One build at a time: it replaces dist/ as a whole. */
export async function ensureBuilt() {
  const { build } = await import('./build.mjs');
  try {
    await withCloneLock(root, 'build', () => build({ log: say }));
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw new StartProblem(
      `dist/ must be built, but it cannot be written: ${error.message}; ${ownerAdvice(root)}`,
    );
  }
}
