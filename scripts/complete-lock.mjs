// Completes package-lock.json: adds missing packages and the hashes that `npm ci` checks. A registry mirror that
// has only this platform's binaries makes npm leave out the optional packages of every other platform; `npm ci`
// then refuses the lock ("Missing: … from lock file") everywhere.
// Usage: node scripts/complete-lock.mjs [--check]
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const lockFile = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../package-lock.json');

/** Resolves a dependency as Node does: in the package's own node_modules, then in each folder above. */
function isLocked(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (!at) return false;
    if (!at.includes('/node_modules/')) return Boolean(packages[`node_modules/${name}`]);
  }
}

/** Optional packages that a locked package depends on and the lock lacks. */
export function missingOptional(lock) {
  const missing = new Map();
  for (const [from, entry] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      if (!isLocked(lock.packages, from, name)) missing.set(name, { range, wantedBy: from });
    }
  }
  return missing;
}

const osNames = [
  'darwin',
  'linux',
  'win32',
  'freebsd',
  'openbsd',
  'netbsd',
  'android',
  'sunos',
  'aix',
  'openharmony',
];
const cpuNames = [
  'x64',
  'arm64',
  'arm',
  'ia32',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
];

/** npm skips an optional package by these two fields; platform packages have both in their name. */
function platformOf(name) {
  const parts = name.replace(/^.*\//, '').split('-');
  const os = osNames.filter((value) => parts.includes(value));
  const cpu = cpuNames.filter((value) => parts.includes(value));
  return { ...(cpu.length ? { cpu } : {}), ...(os.length ? { os } : {}) };
}

function addMissing(lock) {
  for (const [name, { range }] of missingOptional(lock)) {
    if (!/^\d+\.\d+\.\d+/.test(range ?? ''))
      throw new Error(`cannot pin ${name}: "${range}" is not exact`);
    lock.packages[`node_modules/${name}`] = { version: range, ...platformOf(name), optional: true };
  }
  const { '': top, ...rest } = lock.packages;
  const sorted = Object.entries(rest).sort(([a], [b]) => a.localeCompare(b, 'en'));
  lock.packages = { '': top, ...Object.fromEntries(sorted) };
}

/** Entries that `npm ci` installs without checking the download. */
export function withoutIntegrity(lock) {
  return Object.entries(lock.packages).filter(
    ([key, entry]) => key && !entry.link && !entry.integrity,
  );
}

/** Binaries of other platforms: a mirror for this one lacks them, so their hash is unknown. */
const isOfPlatform = ([, { optional, os, cpu }]) => optional && Boolean(os ?? cpu);

/** @returns names of packages that this registry lacks, so that their hash is unknown */
async function addIntegrity(lock) {
  const unknown = [];
  for (const [key, entry] of withoutIntegrity(lock)) {
    const name = entry.name ?? key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const integrity = await integrityOf(`${name}@${entry.version}`);
    if (integrity) entry.integrity = integrity;
    else unknown.push(`${name}@${entry.version}`);
  }
  return unknown;
}

async function integrityOf(spec) {
  const { stdout } = await promisify(execFile)('npm', [
    'view',
    spec,
    'dist.integrity',
    '--json',
  ]).catch((error) => {
    if (/E404/.test(`${error.stdout}${error.stderr}`)) return { stdout: 'null' };
    throw error;
  });
  return JSON.parse(stdout || 'null');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
  const names = [...missingOptional(lock).keys()];
  if (process.argv.includes('--check')) {
    const unchecked = withoutIntegrity(lock)
      .filter((entry) => !isOfPlatform(entry))
      .map(([key]) => key);
    const wrong = [
      ...(names.length ? [`lacks ${names.join(', ')}`] : []),
      ...(unchecked.length ? [`has no integrity of ${unchecked.join(', ')}`] : []),
    ];
    for (const text of wrong)
      console.error(`package-lock.json ${text}: run node scripts/complete-lock.mjs`);
    process.exit(wrong.length ? 1 : 0);
  }
  addMissing(lock);
  const unknown = await addIntegrity(lock);
  writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(
    names.length ? `added ${names.length}: ${names.join(', ')}` : 'package-lock.json is complete',
  );
  if (unknown.length) console.log(`not in this registry, so without a hash: ${unknown.join(', ')}`);
}
