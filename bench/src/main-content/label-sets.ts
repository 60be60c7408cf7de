import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  meanOfWordRows,
  meanOfWords,
  type MeanScore,
  sumOfSnippets,
} from './main-content-score.js';

/** What people say a page is about. */
export interface MetadataLabel {
  readonly title?: string;
  readonly author?: string;
  /** `2024-01-31` */
  readonly date?: string;
}

/** A page with the text that people found to be its main content. */
export interface ScoredPage {
  readonly id: string;
  readonly url: string;
  readonly html: Uint8Array;
  readonly contentType: string;
  /** Its type, or its half of the set; absent: pages are grouped by language. */
  readonly group?: string;
  /** All of the text; empty: only the snippets are known. */
  readonly text: string;
  /** Texts that must be kept, and those that must not. */
  readonly kept: readonly string[];
  readonly left: readonly string[];
  readonly metadata: MetadataLabel | null;
}

export interface KeptText {
  readonly page: ScoredPage;
  readonly text: string;
}

/** Pages that are scored alike. */
export interface LabelSet {
  readonly name: string;
  readonly pages: readonly ScoredPage[];
  readonly scoreOf: (texts: readonly KeptText[]) => MeanScore;
}

/** Which part of a set is read: rules are tuned on one, and the other is for a single report. */
export type SetPart = 'tuned' | 'held-out';

type SetReader = (dir: string, part: SetPart) => Promise<LabelSet>;

/** Public sets by the name of their folder. */
const SETS: Readonly<Record<string, SetReader>> = {
  wcxb: wcxbSet,
  trafilatura: snippetSet,
  articles: articleSet,
};

/** The sets in a folder: each in one of its own, or the folder itself is one of articles. */
export async function readLabelSets(dir: string, part: SetPart): Promise<readonly LabelSet[]> {
  const names = (await readdir(dir)).sort();
  if (names.includes('ground-truth.json')) return [await articleSet(dir, part)];
  const found = names.filter((name) => name in SETS);
  if (found.length === 0 && !names.includes('products')) {
    throw new Error(
      `--data: '${dir}' holds none of ${Object.keys(SETS).join(', ')}, products, nor ground-truth.json`,
    );
  }
  const sets: LabelSet[] = [];
  for (const name of found) {
    const set = await SETS[name]?.(path.join(dir, name), part);
    if (set !== undefined) sets.push(set);
  }
  return sets;
}

/** `dev/ground-truth/<id>.json` and `dev/html/<id>.html.gz`; the held-out part is `test`. */
async function wcxbSet(dir: string, part: SetPart): Promise<LabelSet> {
  const split = path.join(dir, part === 'tuned' ? 'dev' : 'test');
  const files = (await readdir(path.join(split, 'ground-truth'))).sort();
  const pages = await Promise.all(
    files.map(async (file) => {
      const id = path.basename(file, '.json');
      const label = await readJson(path.join(split, 'ground-truth', file));
      const truth = fieldsOf(label.ground_truth);
      const kind = textAt(fieldsOf(fieldsOf(label._internal).page_type), 'primary');
      return {
        id,
        url: textAt(label, 'url'),
        html: await unzipped(path.join(split, 'html', `${id}.html.gz`)),
        contentType: 'text/html; charset=utf-8',
        group: kind === 'category' ? 'collection' : kind,
        text: textAt(truth, 'main_content'),
        kept: [],
        left: [],
        metadata: metadataOf(truth, 'publish_date'),
      };
    }),
  );
  return { name: 'wcxb', pages, scoreOf: meanOfWords };
}

/** `evaldata.json` and its pages in `cache` and `eval`: entries of even index are for tuning. */
async function snippetSet(dir: string, part: SetPart): Promise<LabelSet> {
  const entries = Object.entries(await readJson(path.join(dir, 'evaldata.json')));
  const wanted = entries.filter((_, at) => at % 2 === (part === 'tuned' ? 0 : 1));
  const pages = await Promise.all(
    wanted.map(async ([url, value]) => {
      const label = fieldsOf(value);
      return {
        id: url,
        url,
        html: await firstOf(dir, ['cache', 'eval'], textAt(label, 'file')),
        contentType: 'text/html',
        text: '',
        kept: textsAt(label, 'with'),
        left: textsAt(label, 'without'),
        metadata: 'author' in label ? metadataOf(label, 'date') : null,
      };
    }),
  );
  return { name: 'trafilatura', pages, scoreOf: sumOfSnippets };
}

/** `ground-truth.json` with `articleBody` and `url` by id, `html/<id>.html.gz`: always all of it. */
async function articleSet(dir: string, _part: SetPart): Promise<LabelSet> {
  const truth = await readJson(path.join(dir, 'ground-truth.json'));
  const ids = Object.entries(truth).sort(([one], [other]) => (one < other ? -1 : 1));
  const pages = await Promise.all(
    ids.map(async ([id, value], at) => {
      const label = fieldsOf(value);
      return {
        id,
        url: textAt(label, 'url') || 'https://example.com/',
        html: await unzipped(path.join(dir, 'html', `${id}.html.gz`)),
        contentType: 'text/html; charset=utf-8',
        group: at % 2 === 0 ? 'even pages' : 'odd pages',
        text: textAt(label, 'articleBody'),
        kept: [],
        left: [],
        metadata: null,
      };
    }),
  );
  return { name: 'articles', pages, scoreOf: meanOfWordRows };
}

const unzipped = async (file: string): Promise<Uint8Array> => gunzipSync(await readFile(file));

async function firstOf(dir: string, folders: readonly string[], name: string): Promise<Uint8Array> {
  for (const folder of folders) {
    const file = path.join(dir, folder, name);
    const isFile = await stat(file).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) return readFile(file);
  }
  throw new Error(`--data: no page '${name}' in ${folders.join(' or ')} of '${dir}'`);
}

type Fields = Readonly<Record<string, unknown>>;

async function readJson(file: string): Promise<Fields> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8'));
  return fieldsOf(value);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textAt(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

function textsAt(fields: Fields, name: string): readonly string[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function metadataOf(fields: Fields, dateName: string): MetadataLabel {
  const [title, author, date] = [
    textAt(fields, 'title'),
    textAt(fields, 'author'),
    textAt(fields, dateName).slice(0, 10),
  ];
  return {
    ...(title === '' ? {} : { title }),
    ...(author === '' ? {} : { author }),
    ...(date === '' ? {} : { date }),
  };
}
