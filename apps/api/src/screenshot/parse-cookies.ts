import { ApiError, type BrowserCookie } from '@app/contracts';

const MAX_COOKIES = 100;
const MAX_PART_CHARS = 4_096;

/**
 * JSON array text of cookie objects with name, value and domain (specification: POST /v1/screenshot);
 * a `path` is accepted too.
 * @throws ApiError
 */
export function parseCookies(text: string | null | undefined): readonly BrowserCookie[] {
  const json = (text ?? '').trim();
  if (json === '') return [];
  const list = parseJson(json);
  if (!Array.isArray(list)) throw problem('must be JSON array text of objects');
  if (list.length > MAX_COOKIES) throw problem(`may hold at most ${MAX_COOKIES} cookies`);
  return list.map(parseCookie);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw problem(
      'must be JSON array text, such as [{"name":"a","value":"b","domain":"example.com"}]',
    );
  }
}

function parseCookie(value: unknown, index: number): BrowserCookie {
  const {
    name,
    value: text,
    domain,
    path = '/',
  } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (!isPart(name, /^[^\s=;,]+$/)) throw problem(`[${index}] needs a name`);
  if (!isPart(text, /^[^\r\n;]*$/)) throw problem(`[${index}] needs a value`);
  // RFC 6265bis 5.7: browsers reject longer ones.
  if (name.length + text.length > MAX_PART_CHARS)
    throw problem(
      `[${index}] is longer than ${MAX_PART_CHARS} characters, name and value together`,
    );
  if (!isPart(domain, /^\.?[A-Za-z0-9.:[\]-]+$/)) throw problem(`[${index}] needs a domain`);
  if (!isPart(path, /^\/[^\r\n;]*$/))
    throw problem(`[${index}] has a path that does not begin with /`);
  return { name, value: text, domain, path };
}

function isPart(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && value.length <= MAX_PART_CHARS && pattern.test(value);
}

function problem(what: string): ApiError {
  return new ApiError('invalid_request', { problem: `\`cookies\` ${what}` });
}
