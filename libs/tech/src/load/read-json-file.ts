import { readFileSync, statSync } from 'node:fs';

/** Larger ones are refused: the largest table known has 4 MB. */
const MAX_FILE_BYTES = 64 * 1_024 * 1_024;

/** Parses a file of fingerprints; throws an error that names the file and what is wrong with it. */
export function readJsonFile(path: string): unknown {
  const { size } = statOf(path);
  if (size > MAX_FILE_BYTES)
    throw new Error(`fingerprints: ${path} is larger than ${MAX_FILE_BYTES} bytes`);
  const text = readFileSync(path, 'utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new Error(`fingerprints: ${path} is not JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Whether the path is a folder; throws when nothing is there. */
export function isFolder(path: string): boolean {
  return statOf(path).isDirectory();
}

function statOf(path: string): ReturnType<typeof statSync> & object {
  try {
    return statSync(path);
  } catch (cause) {
    throw new Error(`fingerprints: cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
}
