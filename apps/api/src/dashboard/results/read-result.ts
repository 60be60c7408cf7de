import { isRecord } from '../http/one-time-notes.js';

/** The fields of a response of the API; none if it is no object. */
export function fieldsIn(json: string | null): Fields {
  const body: unknown = JSON.parse(json ?? '{}');
  return isRecord(body) ? body : {};
}

/** A part of a result that was read out of the page: a product, a listing, data of a schema, a summary. */
export interface ExtractedPart {
  readonly title: string;
  readonly value: unknown;
}

/** A passage that answers a question. */
export interface ShownPassage {
  /** Markdown. */
  readonly text: string;
  readonly headings: readonly string[];
  readonly url: string;
}

/** One attempt of the cascade. */
export interface ShownAttempt {
  readonly rung: string;
  readonly isOk: boolean;
  readonly latencyMs: number | null;
  /** After the first one began. */
  readonly startMs: number;
  readonly errorClass: string | null;
}

/**
 * What the viewer shows of the response to a request about a page, or of a stored page. Stored ones may be of any
 * version, so every field is checked.
 */
export interface ShownResult {
  readonly url: string;
  readonly title: string | null;
  readonly statusCode: number | null;
  readonly fetchedBy: string | null;
  readonly latencyMs: number | null;
  readonly partialReason: string | null;
  readonly markdown: string | null;
  /** The HTML of the page. */
  readonly source: string | null;
  /** Null: not requested. */
  readonly links: readonly string[] | null;
  /** Address or data URI of how the page looked. */
  readonly picture: string | null;
  readonly extracted: readonly ExtractedPart[];
  /** Null: not requested. */
  readonly passages: readonly ShownPassage[] | null;
  readonly metadata: Fields;
  /** Null: it says nothing of attempts. */
  readonly attempts: readonly ShownAttempt[] | null;
  /** The whole result as JSON, images shortened. */
  readonly json: string;
}

export type Fields = Readonly<Record<string, unknown>>;

const EXTRACTED = [
  ['summary', 'Summary'],
  ['json', 'Data'],
  ['data', 'Data'],
  ['product', 'Product'],
  ['listing', 'Listing'],
  ['branding', 'Branding'],
] as const;

export function readResult(value: unknown): ShownResult {
  const result = fieldsOf(value);
  const fields = { ...result, ...fieldsOf(result['formats']) };
  const metadata = fieldsOf(fields['metadata']);
  const extracted = EXTRACTED.map(([name, title]) => ({ title, value: fields[name] }));
  return {
    url: fieldText(fields, 'url') ?? '',
    title: fieldText(metadata, 'title'),
    statusCode: fieldNumber(fields, 'statusCode'),
    fetchedBy: fieldText(metadata, 'fetchMethod'),
    latencyMs: fieldNumber(metadata, 'latencyMs'),
    partialReason: fieldText(fields, 'partial_reason'),
    markdown: fieldText(fields, 'markdown'),
    source: fieldText(fields, 'rawHtml') ?? fieldText(fields, 'html'),
    links: linksIn(fields),
    picture: pictureIn(fields),
    extracted: extracted.filter((part) => part.value !== undefined && part.value !== null),
    ...{ metadata, passages: passagesIn(fields) },
    attempts: attemptsIn(fields),
    json: JSON.stringify(value, (_name, inner) => withoutImage(inner), 2) ?? '',
  };
}

const fieldsOf = (value: unknown): Fields =>
  isRecord(value) && !Array.isArray(value) ? value : {};

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

function linksIn({ links }: Fields): readonly string[] | null {
  return Array.isArray(links) ? textsOf(links) : null;
}

function passagesIn({ passages }: Fields): readonly ShownPassage[] | null {
  if (!Array.isArray(passages)) return null;
  return passages.filter(isRecord).map((passage) => ({
    text: fieldText(passage, 'text') ?? '',
    headings: textsOf(passage['headings']),
    url: fieldText(passage, 'url') ?? '',
  }));
}

/** An image as it may be shown: anything else could be a document. */
const IMAGE = /^(?:https?:\/\/|data:image\/(?:png|jpeg|webp);base64,)/;

function pictureIn(fields: Fields): string | null {
  const { base64, format, actions } = fields;
  const bare =
    typeof base64 === 'string' ? `data:image/${String(format)};base64,${base64}` : undefined;
  const { screenshots } = fieldsOf(actions);
  const first: unknown = Array.isArray(screenshots) ? screenshots[0] : undefined;
  const found = [fields['screenshot'], fields['imageUrl'], bare, first].find(
    (one) => typeof one === 'string' && IMAGE.test(one),
  );
  return typeof found === 'string' ? found : null;
}

/** The attempts in the body of a result or an error. */
function attemptsIn({ cascade }: Fields): readonly ShownAttempt[] | null {
  const { attempts } = fieldsOf(cascade);
  if (!Array.isArray(attempts)) return null;
  let startMs = 0;
  return attempts.filter(isRecord).map((attempt) => {
    const latencyMs = fieldNumber(attempt, 'latency_ms');
    const shown = {
      ...{ rung: String(attempt['rung']), isOk: attempt['ok'] === true, latencyMs, startMs },
      errorClass: fieldText(attempt, 'error_class'),
    };
    startMs += latencyMs ?? 0;
    return shown;
  });
}

const LONG_CHARS = 2_000;

/** Images would fill the view and say nothing there. */
function withoutImage(value: unknown): unknown {
  const isLong = typeof value === 'string' && value.length > LONG_CHARS;
  if (!isLong || !/^(?:data:|[A-Za-z0-9+/]{2000})/.test(value)) return value;
  return `${value.slice(0, 40)}… (${value.length} characters)`;
}

export function fieldText(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' ? value : null;
}

export function fieldNumber(fields: Fields, name: string): number | null {
  const value = fields[name];
  return typeof value === 'number' ? value : null;
}
