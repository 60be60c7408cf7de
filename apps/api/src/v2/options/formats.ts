import { ApiError, type Format, type PageShot } from '@app/contracts';
import { invalidRequest } from '../../http/invalid-request.js';
import { arrayOption, isOn, readOptions, type V2Fields } from './read-options.js';
import { shotOf } from './shot.js';
import type { Warnings } from './warnings.js';

/** Formats of a scrape under /v2. */
export const V2_FORMATS = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'summary',
  'branding',
  'screenshot',
  'json',
] as const;
export type V2Format = (typeof V2_FORMATS)[number];

const MAX_FORMATS = 50;

/** The outputs that a scrape requests. */
export interface RequestedFormats {
  readonly names: ReadonlySet<V2Format>;
  /** Those that POST /v1/scrape has. */
  readonly formats: readonly Format[];
  /** Of the format `json`. */
  readonly schema?: unknown;
  readonly shot?: PageShot;
}

/** Parses `formats`: names, or objects with a `type`. @throws ApiError */
export function parseFormats(value: unknown, warnings: Warnings): RequestedFormats {
  const entries =
    value === undefined || value === null
      ? ['markdown']
      : arrayOption(value, 'formats', MAX_FORMATS);
  const names = new Set<V2Format>();
  let more: Pick<RequestedFormats, 'schema' | 'shot'> = {};
  for (const [index, entry] of entries.entries()) {
    const { type, options } = entryOf(entry, index);
    if ((type === 'screenshot' || type === 'json') && names.has(type))
      throw invalidRequest(`\`formats\` may hold at most one ${type}`);
    names.add(type);
    const at = `formats.${type}.`;
    if (type === 'screenshot') more = { ...more, shot: shotOf(options, at, warnings) };
    else if (type === 'json') more = { ...more, schema: schemaOf(options, at, warnings) };
    else readOptions(options, { honoured: [], at }, warnings);
  }
  return { names, formats: [...names].filter((name) => name !== 'html'), ...more };
}

/** The formats of a job's pages: Markdown. @throws ApiError */
export function requireMarkdown(value: unknown, name: string, warnings: Warnings): void {
  if (value === undefined || value === null) return;
  for (const [index, entry] of arrayOption(value, name, MAX_FORMATS).entries()) {
    const { type, options } = entryOf(entry, index);
    if (type !== 'markdown')
      throw unsupported(
        `\`${name}\` may only hold markdown here, not ${type}. Use POST /v2/scrape for single pages`,
      );
    readOptions(options, { honoured: [], at: `${name}.markdown.` }, warnings);
  }
}

interface FormatEntry {
  readonly type: V2Format;
  readonly options: V2Fields;
}

function entryOf(entry: unknown, index: number): FormatEntry {
  const isObject = typeof entry === 'object' && entry !== null && !Array.isArray(entry);
  const { type, ...options } = isObject ? (entry as V2Fields) : { type: entry };
  if (typeof type !== 'string')
    throw invalidRequest(`\`formats[${index}]\` must be a name or an object with a \`type\``);
  const known = V2_FORMATS.find((name) => name === type);
  if (known === undefined)
    throw unsupported(
      `\`formats[${index}]\`: ${shownName(type)} is not supported. Supported are ${V2_FORMATS.join(', ')}`,
    );
  return { type: known, options };
}

/** Without a schema the model would choose the fields. */
function schemaOf(options: V2Fields, at: string, warnings: Warnings): unknown {
  const { schema } = readOptions(options, { honoured: ['schema'], at }, warnings);
  if (isOn(schema)) return schema;
  throw unsupported('the format json needs a `schema`: {"type": "json", "schema": {…}}');
}

/** Without characters that a log or terminal would act on. */
function shownName(type: string): string {
  return JSON.stringify(type.slice(0, 60).toWellFormed());
}

function unsupported(problem: string): ApiError {
  return new ApiError('unsupported_format', { problem });
}
