import { debianFiles, type SeededRandom } from '@app/testing';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DocLabel, DocPackage } from './doc-packages.js';
import type { LabelledPage } from './load-pages.js';

/**
 * So many pages of the packages, the same of each or all it has, drawn by chance. They are read as they
 * are requested, since some packages have tens of thousands.
 */
export function* drawDocPages(
  packages: readonly DocPackage[],
  count: number,
  random: SeededRandom,
): Generator<LabelledPage> {
  const decks = packages.map((from) => ({ from, files: shuffled(filesOf(from), random) }));
  for (let drawn = 0; drawn < count;) {
    const before = drawn;
    for (const { from, files } of decks) {
      const file = drawn < count ? files.pop() : undefined;
      if (file === undefined) continue;
      drawn += 1;
      yield readPage(from, file);
    }
    if (drawn === before) throw new Error(`the packages have but ${drawn} of ${count} pages`);
  }
}

function filesOf({ name, folder }: DocPackage): string[] {
  const root = debianFiles(name, folder);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function shuffled(files: readonly string[], random: SeededRandom): string[] {
  const order = files.map((file) => ({ file, place: random.next() }));
  return order.sort((one, other) => one.place - other.place).map(({ file }) => file);
}

function readPage({ name, folder, labels }: DocPackage, file: string): LabelledPage {
  const html = readFileSync(file, 'utf8');
  const place = file.slice(file.indexOf(folder) + folder.length);
  return {
    name: `${name}${place}`,
    input: { url: `https://docs.test/${name}${place}`, headers: {}, cookies: {}, html },
    expected: namesBy(labels, html),
  };
}

function namesBy(labels: readonly DocLabel[], html: string): string[] {
  const fitting = labels.filter(({ where }) => where === undefined || html.includes(where));
  return [...new Set(fitting.flatMap(({ technologies }) => technologies))];
}
