import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { BOILERPLATE } from './fixture-pages.js';

/** What a contender delivered. */
export interface PageTally {
  /** Different pages that hold their end marker: only these count as done. */
  readonly complete: number;
  /** Documents delivered, whatever is in them. */
  readonly documents: number;
  /** Documents that still hold navigation, cookie notice or footer. */
  readonly withBoilerplate: number;
  readonly markdownBytes: number;
}

const END_MARKER = /MARKER-(\d+)-END/;

export async function tallyDocuments(
  documents: AsyncIterable<string> | Iterable<string>,
): Promise<PageTally> {
  const complete = new Set<string>();
  let count = 0;
  let withBoilerplate = 0;
  let markdownBytes = 0;
  for await (const text of documents) {
    const index = END_MARKER.exec(text)?.[1];
    if (index !== undefined) complete.add(index);
    if (text.includes(BOILERPLATE)) withBoilerplate++;
    markdownBytes += Buffer.byteLength(text);
    count++;
  }
  return { complete: complete.size, documents: count, withBoilerplate, markdownBytes };
}

/** The text of every file in a folder. */
export async function* filesIn(dir: string): AsyncGenerator<string> {
  for (const name of await readdir(dir)) yield await readFile(path.join(dir, name), 'utf8');
}
