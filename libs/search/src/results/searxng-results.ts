import { isObject } from '@app/content';
import type { HtmlShape } from './read-html-results.js';
import { parseAnswer, readJsonResults, type JsonShape } from './read-json-results.js';
import type { PageReading } from './page-reading.js';

const JSON_SHAPE: JsonShape = {
  results: '/results',
  url: '/url',
  title: '/title',
  snippet: '/content',
  answered: null,
  hasMarkup: false,
};

/** The result page of its theme "simple". */
export const SEARXNG_PAGE: HtmlShape = {
  results: '#urls article.result',
  link: 'h3 a[href]',
  title: 'h3',
  snippet: 'p.content:not(.empty_element)',
  none: '#urls .dialog-error-block, #urls .dialog-error, #results #answers',
  ads: null,
  unresponsive: '#engines_msg td.response-error',
  linkParameter: null,
};

/**
 * Reads the JSON of a SearXNG instance. `unresponsive_engines` decides what an empty list means: with one of them, another
 * engine might have found something.
 */
export function readSearxngJson(text: string): PageReading {
  const reading = readJsonResults(text, JSON_SHAPE);
  if (reading.kind !== 'results' || reading.results.length > 0) return reading;
  const json = parseAnswer(text)?.json;
  const silent = isObject(json) ? json['unresponsive_engines'] : undefined;
  if (!Array.isArray(silent)) {
    return { kind: 'drift', problem: 'the answer has no list of unresponsive engines' };
  }
  if (silent.length === 0) return reading;
  return {
    kind: 'incomplete',
    problem: `nothing was found, and ${silent.length} engines did not answer`,
  };
}
