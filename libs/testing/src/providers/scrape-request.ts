/** What of a /v2/scrape request counts here. */
export interface V2ScrapeRequest {
  readonly url: string;
  readonly formats: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly waitFor: number;
  readonly timeout: number | null;
  readonly maxAge: number | null;
}

type Json = Readonly<Record<string, unknown>>;
type Rule = readonly [field: string, check: (value: unknown, all: Json) => boolean];

const isBoolean = (value: unknown) => typeof value === 'boolean';
const isTexts = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Every field this fake knows, by the contract; an unknown one is refused, stricter than the real API. */
const RULES: readonly Rule[] = [
  ['url', (value) => typeof value === 'string' && URL.canParse(value) && /^https?:/.test(value)],
  ['formats', (value) => isTexts(value) && (value as string[]).every(isFormat)],
  ['onlyMainContent', isBoolean],
  ['includeTags', isTexts],
  ['excludeTags', isTexts],
  ['headers', isTextMap],
  ['waitFor', (value, all) => isWhole(value, 0, 60_000) && fitsTimeout(value, all)],
  ['maxAge', (value) => isWhole(value, 0, Number.MAX_SAFE_INTEGER)],
  ['timeout', (value) => isWhole(value, 1_000, 300_000)],
  ['location', isLocation],
  ['actions', (value) => Array.isArray(value) && value.length <= 50 && value.every(isAction)],
  ['mobile', isBoolean],
  ['storeInCache', isBoolean],
  ['skipTlsVerification', isBoolean],
  ['removeBase64Images', isBoolean],
];

/** @throws Error naming the first field that is not as the contract has it */
export function parseScrapeRequest(text: string): V2ScrapeRequest {
  const json = JSON.parse(text) as unknown;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Error('body');
  const all = json as Json;
  const names = RULES.map(([name]) => name);
  const unknown = Object.keys(all).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`unknown field ${unknown}`);
  if (all.url === undefined) throw new Error('url is required');
  const broken = RULES.find(([name, check]) => all[name] !== undefined && !check(all[name], all));
  if (broken !== undefined) throw new Error(`invalid ${broken[0]}`);
  return {
    url: String(all.url),
    formats: (all.formats ?? ['markdown']) as readonly string[],
    headers: (all.headers ?? {}) as Readonly<Record<string, string>>,
    waitFor: Number(all.waitFor ?? 0),
    timeout: (all.timeout ?? null) as number | null,
    maxAge: (all.maxAge ?? null) as number | null,
  };
}

function isFormat(text: string): boolean {
  return ['markdown', 'html', 'rawHtml', 'links'].includes(text);
}

function isTextMap(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((item) => typeof item === 'string')
  );
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

function fitsTimeout(waitFor: unknown, { timeout }: Json): boolean {
  return timeout === undefined || Number(waitFor) <= Number(timeout) / 2;
}

function isLocation(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { country = 'US', languages = [], ...rest } = value as Json;
  return /^[A-Z]{2}$/.test(String(country)) && isTexts(languages) && Object.keys(rest).length === 0;
}

function isAction(value: unknown): boolean {
  const { type, ...rest } = (value ?? {}) as Json;
  if (type === 'wait') return isWhole(rest.milliseconds, 1, 60_000);
  return type === 'scroll' && (rest.direction === undefined || rest.direction === 'down');
}
