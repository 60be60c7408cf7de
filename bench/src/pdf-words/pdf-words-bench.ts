// Words of PDFs' text layers that our reader keeps, beside poppler's pdftotext. See ../../README.md.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readFile } from '@app/content';
import { charsKept, compareWords, wordBagOf } from './word-bag.js';

interface Options {
  readonly paths: readonly string[];
  /** Lost words shown per file. */
  readonly lost: number;
  /** Pages read of each file. */
  readonly pages: number;
}

function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      suite: { type: 'string' },
      data: { type: 'string', multiple: true, default: [] },
      lost: { type: 'string', default: '5' },
      pages: { type: 'string', default: '60' },
    },
  });
  const paths = [...values.data, ...positionals];
  if (paths.length === 0) throw new Error('--data must name a PDF or a folder of PDFs');
  return { paths, lost: Number(values.lost), pages: Number(values.pages) };
}

function* pdfsIn(target: string): Generator<string> {
  if (!statSync(target).isDirectory()) return void (yield target);
  for (const name of readdirSync(target).sort()) {
    if (name.endsWith('.pdf')) yield path.join(target, name);
  }
}

/** Null when pdftotext cannot read the file either. */
function popplerText(file: string, pages: number): string | null {
  try {
    return execFileSync('pdftotext', ['-q', '-l', String(pages), '-enc', 'UTF-8', file, '-'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  } catch {
    return null;
  }
}

interface Row {
  readonly name: string;
  readonly pages: number;
  readonly words: number;
  readonly share: number;
  readonly chars: number;
  readonly cpuMsPerPage: number;
  readonly note: string;
}

async function compare(file: string, options: Options): Promise<Row> {
  const expected = popplerText(file, options.pages);
  const before = process.cpuUsage();
  const result = await readFile(readFileSync(file), { maxPages: options.pages });
  const used = process.cpuUsage(before);
  const name = path.basename(file, '.pdf');
  const none = { name, pages: 0, words: 0, share: 1, chars: 1, cpuMsPerPage: 0 };
  if (!result.ok) return { ...none, note: `${result.problem}; pdftotext ${describe(expected)}` };
  const text = result.file.text;
  const { words, kept, lost } = compareWords(wordBagOf(expected ?? ''), wordBagOf(text));
  const pages = Math.min(options.pages, result.file.pages ?? 1);
  return {
    name,
    pages,
    words,
    share: words === 0 ? 1 : kept / words,
    chars: charsKept(expected ?? '', text),
    cpuMsPerPage: (used.user + used.system) / 1000 / pages,
    note: lost
      .slice(0, options.lost)
      .map(([word, count]) => `${word}×${count}`)
      .join(' '),
  };
}

const describe = (text: string | null): string =>
  text === null ? 'fails too' : `has ${wordBagOf(text).size} words`;

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** Prints a line per file and their sum. */
export async function pdfWordsBench(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  const rows: Row[] = [];
  for (const file of options.paths.flatMap((target) => [...pdfsIn(target)])) {
    const row = await compare(file, options);
    rows.push(row);
    console.log(
      [row.name, row.pages, row.words, percent(row.share), percent(row.chars)].join('\t') +
        `\t${row.cpuMsPerPage.toFixed(1)} ms\t${row.note}`,
    );
  }
  const read = rows.filter(({ words }) => words > 0);
  const words = read.reduce((sum, row) => sum + row.words, 0);
  const kept = read.reduce((sum, row) => sum + row.words * row.share, 0);
  const pages = read.reduce((sum, row) => sum + row.pages, 0);
  const cpuMs = read.reduce((sum, row) => sum + row.cpuMsPerPage * row.pages, 0);
  const good = read.filter(({ share }) => share >= 0.99).length;
  console.log(
    `${read.length} files, ${pages} pages, ${words} words: ${percent(kept / Math.max(words, 1))} kept; ` +
      `${good} files at 99 % or more; ${(cpuMs / Math.max(pages, 1)).toFixed(1)} ms CPU a page`,
  );
}
