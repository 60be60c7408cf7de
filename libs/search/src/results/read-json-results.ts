import { valueAtPointer } from '@app/egress';
import { type FoundPage } from '../search-task.js';
import { foundPage, textOfMarkup } from './found-page.js';
import { MAX_PAGE_RESULTS, type PageReading } from './page-reading.js';

/** Where a JSON answer has its results, as JSON pointers. */
export interface JsonShape {
  readonly results: string;
  /** Within a result. */
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  /** Present in every answer to a search that ran; where `results` is missing, nothing was found. Null: `results` is always there. */
  readonly answered: string | null;
  /** Titles and snippets contain tags and character references. */
  readonly hasMarkup: boolean;
}

/** Reads results of a JSON answer by its structure. Never throws. */
export function readJsonResults(text: string, shape: JsonShape): PageReading {
  const answer = parseAnswer(text);
  if (answer === null) return { kind: 'unreadable', problem: 'the answer is no JSON' };
  const list = valueAtPointer(answer.json, shape.results);
  if (Array.isArray(list)) return readList(list, shape);
  const isAnswered =
    list === undefined &&
    shape.answered !== null &&
    valueAtPointer(answer.json, shape.answered) !== undefined;
  if (isAnswered) return { kind: 'results', results: [] };
  return { kind: 'drift', problem: `the answer has no list at ${shape.results}` };
}

/** Null: it is no JSON. Nesting that the parser cannot take is none either. */
export function parseAnswer(text: string): { readonly json: unknown } | null {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    // The parser's message would quote the answer.
    return null;
  }
}

function readList(list: readonly unknown[], shape: JsonShape): PageReading {
  const results = list
    .slice(0, MAX_PAGE_RESULTS)
    .map((item) => readItem(item, shape))
    .filter((one): one is FoundPage => one !== null);
  if (results.length > 0 || list.length === 0) return { kind: 'results', results };
  return { kind: 'drift', problem: `no result has an address at ${shape.url}` };
}

function readItem(item: unknown, shape: JsonShape): FoundPage | null {
  const textAt = (pointer: string): unknown => {
    const value = valueAtPointer(item, pointer);
    return shape.hasMarkup ? textOfMarkup(value) : value;
  };
  return foundPage({
    url: valueAtPointer(item, shape.url),
    title: textAt(shape.title),
    snippet: textAt(shape.snippet),
  });
}
