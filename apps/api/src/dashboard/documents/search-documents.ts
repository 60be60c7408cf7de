import MiniSearch from 'minisearch';
import { sectionsOf } from './render-document.js';

export const MAX_DOCUMENT_QUERY_CHARS = 100;
/** Longer lists find nothing more, and each word costs time. */
const MAX_WORDS = 8;
const MAX_FOUND = 20;
/** Shown of a section. */
const SNIPPET_CHARS = 240;
/** Words of the text before the first one that was searched for. */
const CHARS_BEFORE = 60;

/** A document that is searched. */
export interface SearchedDocument {
  readonly title: string;
  readonly path: string;
  readonly markdown: string;
  /** Factor of its rank. @default 1 */
  readonly weight?: number;
}

interface Entry {
  readonly id: number;
  readonly weight: number;
  readonly path: string;
  readonly document: string;
  readonly heading: string;
  readonly text: string;
}

/** A section in which words were found. */
export interface FoundSection {
  readonly path: string;
  readonly document: string;
  /** Of the section; that of the document in its first. */
  readonly heading: string;
  readonly snippet: string;
  /** Words of the text that matched. */
  readonly words: readonly string[];
}

/** Sections that are indexed before others have their turn. */
const AT_A_TIME = 20;

/** Of all readers in a second: anyone may search, and each search takes a millisecond or two of the process. */
const MAX_PER_SECOND = 20;
/** Answers that are kept: as one types, many ask the same. */
const MAX_KEPT = 200;

/** Full text of the documents, by section. A search takes about a millisecond. */
export class DocumentSearch {
  private readonly kept = new Map<string, readonly FoundSection[]>();
  private second = 0;
  private searches = 0;

  private constructor(
    private readonly index: MiniSearch<Entry>,
    private readonly now: () => number,
  ) {}

  /** Takes some 0.1 s, in turns with others. */
  static async over(
    documents: readonly SearchedDocument[],
    now = Date.now,
  ): Promise<DocumentSearch> {
    const index = new MiniSearch<Entry>({
      fields: ['heading', 'document', 'text'],
      storeFields: ['path', 'document', 'heading', 'text', 'weight'],
      searchOptions: {
        boost: { heading: 4, document: 2 },
        boostDocument: (_id, _word, stored) => Number(stored?.['weight']),
        prefix: (word) => word.length > 2,
        fuzzy: (word) => (word.length > 4 ? 1 : false),
      },
    });
    const entries = documents.flatMap(entriesOf).map((entry, id) => ({ ...entry, id }));
    await index.addAllAsync(entries, { chunkSize: AT_A_TIME });
    return new DocumentSearch(index, now);
  }

  /**
   * The best sections that have all words, or else one. Words that begin so, or differ by a letter, count.
   * Null: there are too many searches at this moment.
   */
  find(query: string): readonly FoundSection[] | null {
    const words = query
      .slice(0, MAX_DOCUMENT_QUERY_CHARS)
      .split(/\s+/)
      .filter((word) => word.length > 1)
      .slice(0, MAX_WORDS)
      .join(' ')
      .toLowerCase();
    const known = this.kept.get(words);
    if (known) return known;
    if (!this.hasRoom()) return null;
    const found = this.search(words);
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    this.kept.set(words, found);
    return found;
  }

  private hasRoom(): boolean {
    const second = Math.floor(this.now() / 1_000);
    if (second !== this.second) [this.second, this.searches] = [second, 0];
    this.searches += 1;
    return this.searches <= MAX_PER_SECOND;
  }

  private search(words: string): readonly FoundSection[] {
    const all = this.index.search(words, { combineWith: 'AND' });
    const found = all.length > 0 ? all : this.index.search(words, { combineWith: 'OR' });
    return found.slice(0, MAX_FOUND).map(({ path, document, heading, text, terms }) => ({
      path: String(path),
      document: String(document),
      heading: String(heading),
      snippet: snippetOf(String(text), terms),
      words: terms,
    }));
  }
}

function entriesOf({
  title,
  path,
  markdown,
  weight = 1,
}: SearchedDocument): readonly Omit<Entry, 'id'>[] {
  return sectionsOf(markdown).map(({ text: heading, id, body: text }) => ({
    path: id === '' ? path : `${path}#${id}`,
    document: title,
    ...{ heading, text, weight },
  }));
}

function snippetOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = first <= CHARS_BEFORE ? 0 : text.indexOf(' ', first - CHARS_BEFORE) + 1;
  const shown = text.slice(from, from + SNIPPET_CHARS).trim();
  return `${from > 0 ? '… ' : ''}${shown}${text.length > from + SNIPPET_CHARS ? ' …' : ''}`;
}
