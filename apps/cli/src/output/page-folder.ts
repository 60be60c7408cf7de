import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  truncate,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { createHash } from 'node:crypto';
import type { CrawledPage } from '@app/client';
import { CliError } from '../cli-error.js';
import { markdownFile } from './page-text.js';

/** Files of the folder besides the pages. */
const INDEX = 'index.jsonl';
const CONTENTS = 'index.md';

/** A line of the index after the first. */
interface IndexEntry {
  readonly position: number;
  readonly url: string;
  readonly title?: string;
  readonly file: string;
}

export interface FolderOptions {
  /** Job whose pages it holds; null for pages of single scrapes. */
  readonly jobId: string | null;
  /** Page limit of the job, for its progress after a resume. */
  readonly limit?: number;
  /** Continue a folder that was written before. */
  readonly resume: boolean;
  readonly asJson: boolean;
}

/**
 * A folder with a file per page, index.jsonl (one line per page, written as it comes) and index.md (links to all).
 * A page is in the index only when its file is complete, so a folder can be continued after any interruption.
 */
export class PageFolder {
  private readonly names = new PageFileNames([INDEX, CONTENTS]);
  private readonly entries: IndexEntry[] = [];
  /** Page limit of its job, if it is known. */
  limit: number | undefined;

  private constructor(
    readonly folder: string,
    private readonly asJson: boolean,
  ) {}

  /** Before a job is started for it. @throws CliError if the folder is not empty */
  static async requireEmpty(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    const found = await readdir(folder);
    if (found.includes(INDEX)) throw holdsOther(folder, (await readHead(folder)).jobId);
    if (found.length > 0) throw notEmpty(folder);
  }

  /** @throws CliError if the folder holds anything else */
  static async open(folder: string, options: FolderOptions): Promise<PageFolder> {
    const opened = new PageFolder(path.resolve(folder), options.asJson);
    await mkdir(opened.folder, { recursive: true });
    const found = await readdir(opened.folder);
    if (found.includes(INDEX)) await opened.load(options);
    else if (found.length > 0) throw notEmpty(folder);
    else await opened.begin(options);
    return opened;
  }

  /** Position of the last page result that is in the folder. */
  get position(): number {
    return this.entries.at(-1)?.position ?? 0;
  }

  get size(): number {
    return this.entries.length;
  }

  /** Writes a page; returns the name of its file. */
  async write(page: CrawledPage, position = this.position + 1): Promise<string> {
    const file = this.names.assign(page.url, this.asJson ? '.json' : '.md');
    const text = this.asJson ? `${JSON.stringify(page, undefined, 2)}\n` : markdownFile(page);
    const draft = path.join(this.folder, `.${process.pid}.part`);
    await writeFile(draft, text);
    await rename(draft, path.join(this.folder, file));
    const title = page.metadata?.title;
    const entry = { position, url: page.url, ...(title === undefined ? {} : { title }), file };
    await appendFile(path.join(this.folder, INDEX), `${JSON.stringify(entry)}\n`);
    this.entries.push(entry);
    return file;
  }

  /** Writes the list of links for people. */
  async finish(): Promise<void> {
    const byFile = new Map(this.entries.map((entry) => [entry.file, entry]));
    const lines = [...byFile.values()].map(({ title, url, file }) => {
      const text = (title?.trim() || url).replace(/\s+/g, ' ').replace(/[\\[\]<>`*_]/g, '\\$&');
      return `- [${text}](<${encodeURI(file)}>)`;
    });
    await writeFile(path.join(this.folder, CONTENTS), `# Pages\n\n${lines.join('\n')}\n`);
  }

  private async begin({ jobId, limit }: FolderOptions): Promise<void> {
    this.limit = limit;
    await writeFile(path.join(this.folder, INDEX), `${JSON.stringify({ jobId, limit })}\n`);
  }

  private async load({ jobId, resume }: FolderOptions): Promise<void> {
    const file = path.join(this.folder, INDEX);
    const text = await readFile(file, 'utf8');
    const complete = text.slice(0, text.lastIndexOf('\n') + 1);
    const [head = '', ...lines] = complete.split('\n').filter((line) => line !== '');
    const { jobId: holds, limit } = headOf(head, this.folder);
    this.limit = limit;
    if (holds !== jobId || (jobId !== null && !resume)) throw holdsOther(this.folder, holds);
    // The last line is incomplete if the program was killed while it wrote it.
    if (complete !== text) await truncate(file, Buffer.byteLength(complete));
    for (const line of lines) {
      const entry = JSON.parse(line) as IndexEntry;
      this.entries.push(entry);
      this.names.keep(entry.url, entry.file);
    }
  }
}

/** First line of the index. */
interface IndexHead {
  readonly jobId: string | null;
  readonly limit?: number;
}

async function readHead(folder: string): Promise<IndexHead> {
  const [head = ''] = (await readFile(path.join(folder, INDEX), 'utf8')).split('\n', 1);
  return headOf(head, folder);
}

function headOf(line: string, folder: string): IndexHead {
  try {
    const { jobId, limit } = JSON.parse(line) as Partial<IndexHead>;
    if (jobId === null || typeof jobId === 'string') return { jobId, limit };
  } catch {
    // Not an index of trawl.
  }
  throw notEmpty(folder);
}

function notEmpty(folder: string): CliError {
  return new CliError(`${folder} holds other files`, 'Name a new or an empty folder with --out.');
}

function holdsOther(folder: string, jobId: string | null): CliError {
  const pages = jobId === null ? 'pages of single scrapes' : `the pages of job ${jobId}`;
  const more = jobId === null ? '' : `, or continue it with trawl crawl --resume ${jobId}`;
  return new CliError(`${folder} holds ${pages}`, `Name a new folder with --out${more}.`);
}

/** File systems allow 255 bytes; this leaves room for a hash, the extension and a sync program's additions. */
const MAX_STEM_BYTES = 120;
const HASH_CHARS = 10;
/** Names of devices on Windows, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Names for the pages of a folder: readable, of one path segment, the same for the same URL and never shared by two
 * URLs, also on file systems that ignore case.
 */
export class PageFileNames {
  /** URL by name in lower case. */
  private readonly taken = new Map<string, string>();

  /** @param reserved names that no page may get */
  constructor(reserved: readonly string[] = []) {
    for (const name of reserved) this.taken.set(folded(name), '');
  }

  /** A name that was assigned before. */
  keep(url: string, name: string): void {
    this.taken.set(folded(name), url);
  }

  /** @param extension with its dot */
  assign(url: string, extension: string): string {
    const stem = stemOf(url);
    const plain = `${stem}${extension}`;
    if (this.isFree(plain, url)) return this.record(plain, url);
    // 40 bits of the URL: two URLs with the same path and query, such as http and https, still differ.
    return this.record(`${stem}-${hashOf(url)}${extension}`, url);
  }

  private isFree(name: string, url: string): boolean {
    const owner = this.taken.get(folded(name));
    return owner === undefined || owner === url;
  }

  private record(name: string, url: string): string {
    this.taken.set(folded(name), url);
    return name;
  }
}

/** Name without extension: letters, digits, dots, hyphens and underscores. */
function stemOf(url: string): string {
  const { hostname, pathname, search } = URL.canParse(url)
    ? new URL(url)
    : { hostname: '', pathname: url, search: '' };
  const path = pathname.replace(/^\/+/, '').replace(/(?:(?<!\/)\/+)?$/, '');
  const name = path === '' ? hostname : path.replace(/\.(?:html?|md)$/i, '');
  const text = search === '' ? name : `${name}_${search.slice(1)}`;
  const clean = decoded(text)
    .normalize('NFC')
    .replace(/\//g, '_')
    .replace(/[^\p{L}\p{N}\p{M}._-]+/gu, '-')
    .replace(/^[.-]+/, '')
    .replace(/(?<![.-])[.-]+$/, '');
  const stem = clean === '' ? 'page' : clean;
  if (RESERVED.test(stem)) return `_${stem}`;
  return Buffer.byteLength(stem) <= MAX_STEM_BYTES ? stem : `${cut(stem)}-${hashOf(url)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Not UTF-8: percent signs become hyphens.
  }
}

/** Cut between characters. */
function cut(stem: string): string {
  const bytes = Buffer.from(stem).subarray(0, MAX_STEM_BYTES);
  return new TextDecoder().decode(bytes).replace(/\ufffd{1,3}$/, '');
}

function hashOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, HASH_CHARS);
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
