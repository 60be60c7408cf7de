import { opendir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeBody, sniffCharset } from '@app/content';
import { fixturePage } from './fixture-pages.js';
import { type SourcePage } from './markdown-converters.js';

/** Pages of the benchmark's site. */
export function sitePages(count: number): readonly SourcePage[] {
  return Array.from({ length: count }, (_, index) =>
    sourcePage(`page ${index}`, fixturePage(index, count)),
  );
}

/** A file larger than this is a book, and would be all of the figure. */
const MAX_FILE_BYTES = 2_000_000;
/** A smaller one redirects somewhere. */
const MIN_FILE_BYTES = 2_000;

/** HTML files of a folder and those below, in the order of their paths, at most `most`. */
export async function folderPages(folder: string, most: number): Promise<readonly SourcePage[]> {
  const files: string[] = [];
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (entry.isFile() && /\.x?html?$/i.test(entry.name)) {
      files.push(path.join(entry.parentPath, entry.name));
    }
  }
  const pages: SourcePage[] = [];
  for (const file of spread(files.sort(), 4 * most)) {
    if (pages.length >= most) break;
    const bytes = await readFile(file);
    if (bytes.length < MIN_FILE_BYTES || bytes.length > MAX_FILE_BYTES) continue;
    pages.push(
      sourcePage(path.relative(folder, file), decodeBody(bytes, sniffCharset(bytes, null))),
    );
  }
  if (pages.length === 0) throw new Error(`--data: no pages in '${folder}'`);
  return pages;
}

/** Some of a list, evenly: the first folder alone would be one author's work. */
function spread<T>(list: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, list.length / most);
  const count = Math.min(list.length, most);
  return Array.from({ length: count }, (_, at) => list[Math.floor(at * step)]).filter(
    (one) => one !== undefined,
  );
}

function sourcePage(name: string, html: string): SourcePage {
  return { name, html, bytes: Buffer.from(html) };
}
