// Words and structure of document files as we read them, beside markitdown and pandoc. See ../../README.md.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readFile } from '@app/content';
import { compareWords, wordBagOf } from '../pdf-words/word-bag.js';

/** Another converter, and the endings of files that it reads. */
interface Peer {
  readonly name: string;
  readonly endings: ReadonlySet<string>;
  argumentsFor(file: string, ending: string): readonly string[];
}

const PEERS: readonly Peer[] = [
  {
    name: 'markitdown',
    endings: new Set(['docx', 'xlsx', 'pptx', 'epub', 'csv']),
    argumentsFor: (file) => [file],
  },
  {
    name: 'pandoc',
    endings: new Set(['docx', 'odt', 'epub', 'rtf', 'xlsx', 'pptx', 'csv', 'tsv']),
    argumentsFor: (file, ending) => ['-f', ending, '-t', 'gfm', '--wrap=none', file],
  },
];

const PEER_TIMEOUT_MS = 60_000;

function* filesIn(target: string): Generator<string> {
  if (!statSync(target).isDirectory()) return void (yield target);
  for (const name of readdirSync(target).sort()) yield* filesIn(path.join(target, name));
}

/** Null when the peer cannot read the file. @throws {Error} when it is not installed */
function peerMarkdown(peer: Peer, command: string, file: string, ending: string): string | null {
  try {
    return execFileSync(command, peer.argumentsFor(file, ending), {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      timeout: PEER_TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    return null;
  }
}

/** Words without markup: tags, targets of links, escapes, and what pandas writes into blank cells. */
const wordsOfMarkdown = (markdown: string) =>
  wordBagOf(
    markdown
      .replace(/<[^<>\n]{1,300}>/g, ' ')
      .replace(/\]\([^()\n]*\)/g, ']')
      .replace(/\\(.)/g, '$1')
      .replace(/\bNaN\b/g, ' '),
  );

/** Lines that begin headings, tables (by their rule) and items. */
const STRUCTURE = [/^#{1,6} /, /^\|[ :|-]*---/, /^(?:[-*+]|\d{1,9}[.)]) /];

function structureOf(markdown: string): number[] {
  const lines = markdown.split('\n').map((line) => line.trimStart());
  return STRUCTURE.map((pattern) => lines.filter((line) => pattern.test(line)).length);
}

const sum = (some: readonly number[], others: readonly number[]): number[] =>
  some.map((count, index) => count + (others[index] ?? 0));

class Tally {
  files = 0;
  words = 0;
  kept = 0;
  onlyOurs = 0;
  private ours = [0, 0, 0];
  private theirs = [0, 0, 0];

  add(ours: string, theirs: string): void {
    const [own, other] = [wordsOfMarkdown(ours), wordsOfMarkdown(theirs)];
    const { words, kept } = compareWords(other, own);
    const back = compareWords(own, other);
    this.files++;
    this.words += words;
    this.kept += kept;
    this.onlyOurs += back.words - back.kept;
    this.ours = sum(this.ours, structureOf(ours));
    this.theirs = sum(this.theirs, structureOf(theirs));
  }

  line(): string {
    const share = `${((this.kept / Math.max(1, this.words)) * 100).toFixed(2)} %`;
    const counts = `${this.ours.join('/')}\t${this.theirs.join('/')}`;
    return [this.files, this.words, share, this.onlyOurs, counts].join('\t');
  }
}

/** Prints what we cannot read and, by peer and kind of file, how many of its words we have. */
export async function fileWordsBench(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      suite: { type: 'string' },
      data: { type: 'string', multiple: true, default: [] },
      markitdown: { type: 'string', default: 'markitdown' },
      pandoc: { type: 'string', default: 'pandoc' },
      peer: { type: 'string', multiple: true, default: PEERS.map(({ name }) => name) },
    },
  });
  const paths = [...values.data, ...positionals];
  if (paths.length === 0) throw new Error('--data must name a document file or a folder of them');
  const commands: Readonly<Record<string, string>> = values as never;
  const tallies = new Map<string, Tally>();
  for (const file of paths.flatMap((target) => [...filesIn(target)])) {
    const ending = path.extname(file).slice(1).toLowerCase();
    const peers = PEERS.filter(
      ({ name, endings }) => values.peer.includes(name) && endings.has(ending),
    );
    if (peers.length === 0) continue;
    const result = await readFile(readFileSync(file), { hint: { name: file } });
    if (!result.ok) console.log(`${file}\t${result.problem}\t${result.message}`);
    for (const peer of peers) {
      const theirs = peerMarkdown(peer, commands[peer.name] ?? peer.name, file, ending);
      if (theirs === null) continue;
      const key = `${peer.name}\t${ending}`;
      const tally = tallies.get(key) ?? new Tally();
      tallies.set(key, tally);
      tally.add(result.ok ? result.file.markdown : '', theirs);
    }
  }
  console.log('peer\tkind\tfiles\twords\tkept\tonly ours\theadings/tables/items: ours\ttheirs');
  for (const [key, tally] of [...tallies].sort()) console.log(`${key}\t${tally.line()}`);
}
