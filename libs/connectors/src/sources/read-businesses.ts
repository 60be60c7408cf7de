import { textOfAnswer, parseAnswer, textOfMarkup, type PageReading } from '@app/search';
import { valueAtPointer } from '@app/egress';
import {
  BUSINESS_FIELDS,
  toBusiness,
  type Business,
  type RawBusiness,
} from '../businesses/business.js';
import { MAX_PAGE_BUSINESSES, type SourceAnswerPage, type BusinessShape } from './business-page.js';
import { readHtmlBusinesses } from './read-html-businesses.js';
import { readNominatim, readOverpass } from './read-osm-businesses.js';

/** Reads one page of a source: outside text, as much as the source sends. Never on an event loop. Never throws. */
export function readBusinesses(page: SourceAnswerPage): PageReading<Business> {
  const { url, shape } = page;
  const text = textOfAnswer(page);
  switch (shape.kind) {
    case 'business_api':
      return readApiBusinesses(text, shape);
    case 'business_html':
      return readHtmlBusinesses(text, url, shape);
    case 'overpass':
      return readOverpass(text);
    case 'nominatim':
      return readNominatim(text);
  }
}

type ApiShape = Extract<BusinessShape, { kind: 'business_api' }>;

/** Reads the businesses of a JSON answer by its structure. */
function readApiBusinesses(text: string, shape: ApiShape): PageReading<Business> {
  const answer = parseAnswer(text);
  if (answer === null) return { kind: 'unreadable', problem: 'the answer is no JSON' };
  const list = valueAtPointer(answer.json, shape.results);
  if (Array.isArray(list)) return readList(list, shape);
  const { answered } = shape;
  const isAnswered = list === undefined && answered !== null;
  if (isAnswered && valueAtPointer(answer.json, answered) !== undefined)
    return { kind: 'results', results: [] };
  return { kind: 'drift', problem: `the answer has no list at ${shape.results}` };
}

function readList(list: readonly unknown[], { fields }: ApiShape): PageReading<Business> {
  const results = list.slice(0, MAX_PAGE_BUSINESSES).flatMap((item) => {
    const raw: RawBusiness = Object.fromEntries(
      BUSINESS_FIELDS.map((name) => [
        name,
        plain(valueAtPointer(item, fields[name] ?? `/${name}`)),
      ]),
    );
    return toBusiness(raw) ?? [];
  });
  if (results.length > 0 || list.length === 0) return { kind: 'results', results };
  return { kind: 'drift', problem: `no business has a name at ${fields.name ?? '/name'}` };
}

/** Names of categories and lines of addresses come as lists, and those of texts or of objects with a name. */
function plain(value: unknown): unknown {
  if (!Array.isArray(value)) return textOfMarkup(value);
  return value.slice(0, 100).map((one: unknown) => textOfMarkup(nameOf(one)));
}

function nameOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return ['title', 'name', 'label']
    .map((name) => valueAtPointer(value, `/${name}`))
    .find((one) => typeof one === 'string');
}
