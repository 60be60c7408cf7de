import { SUGGESTED_FIXES, type ApiError, type ApiErrorCode } from '@app/contracts';
import { allowRuleFor } from '@app/egress';
import { MAX_REQUEST_URL_CHARS } from '../fields.js';
import { editsBetween } from './closest-name.js';

/** Errors of any endpoint whose text alone does not say what to do next. */
const HINTED_CODES: ReadonlySet<ApiErrorCode> = new Set([
  'invalid_json',
  'url_required',
  'domain_required',
  'invalid_url',
  'blocked_url',
  'api_key_required',
  'api_key_invalid',
  'method_not_allowed',
  'not_found',
  'job_not_found',
  'key_not_found',
  'delivery_not_found',
  'body_too_large',
  'unsupported_media_type',
  'screenshot_unavailable',
]);

/**
 * What a person should do about an error: specific to this request if possible, else the advice for its
 * code. Null if the text already says it, or if the only advice is to wait.
 */
export function errorHint(apiError: ApiError): string | null {
  const { code } = apiError;
  return ownHint(apiError) ?? (HINTED_CODES.has(code) ? suggestedFix(apiError) : null);
}

/** Advice that depends on this request. */
export function ownHint({ code, details, hint }: ApiError): string | null {
  if (hint !== null) return hint;
  const { url } = details;
  const isOfUrl = code === 'invalid_url' || code === 'blocked_url';
  return isOfUrl && typeof url === 'string' ? urlHint(url) : null;
}

/** Of errors that only the operator can end, where {@link SUGGESTED_FIXES} is for those that pass by themselves. */
const OPERATOR_FIXES: Readonly<Partial<Record<ApiErrorCode, string>>> = {
  screenshot_unavailable:
    'Do not retry: there is no browser. The operator gets one by npm start or CHROMIUM_PATH; npm run doctor tries it.',
  search_unavailable:
    'Do not retry: search works when the operator has set a backend, as docs/search.md describes.',
};

/** Next step after this error. Waiting is never suggested when only the operator can end it. */
export function suggestedFix({ code, isPermanent }: ApiError): string {
  return (isPermanent ? OPERATOR_FIXES[code] : undefined) ?? SUGGESTED_FIXES[code];
}

/** Edits between a misspelt scheme and the intended one: `htp`, `htttps`, `hxxp`. */
const MAX_SCHEME_EDITS = 2;
const SCHEMES = ['http', 'https'] as const;
/** Close to `http` in spelling, but intended. */
const OTHER_SCHEMES: ReadonlySet<string> = new Set(['ftp', 'ftps', 'sftp', 'smtp', 'rtp', 'rtsp']);
const SCHEME = /^([a-z]{2,8})(?::\/{0,3}|\/\/)(?=[^/])/i;

/**
 * What to do about a blocked URL, judged by its text alone, so that it reveals nothing about the network.
 * Null: there is nothing to add to the error.
 */
export function urlHint(text: string): string | null {
  if (text.length > MAX_REQUEST_URL_CHARS)
    return `A URL may have at most ${MAX_REQUEST_URL_CHARS} characters.`;
  const meant = meantAddress(text);
  if (meant !== null) return `Did you mean ${meant}?`;
  return URL.canParse(text) ? hintOfUrl(new URL(text)) : null;
}

function hintOfUrl(url: URL): string | null {
  if (!/^https?:$/.test(url.protocol)) return 'Only http and https URLs are fetched.';
  if (url.username !== '' || url.password !== '')
    return 'Remove the user name and password from the URL; send credentials as an `Authorization` header in `headers`.';
  const rule = allowRuleFor(url);
  if (rule === null) return null;
  return `This address is not public. To allow it, the operator must start the service with FETCH_ALLOW_PRIVATE=${rule}`;
}

const DOUBLED = /^https?:\/*(https?:\/\/.*)$/i;

/** The URL that a text probably means; null if the text is already a URL, or nothing is close. */
export function meantAddress(text: string): string | null {
  const trimmed = unwrapped(text.trim());
  const doubled = DOUBLED.exec(trimmed)?.[1];
  if (doubled !== undefined) return fetchableAddress(doubled);
  const [whole, scheme = ''] = SCHEME.exec(trimmed) ?? [];
  const isKnown = SCHEMES.some((known) => known === scheme.toLowerCase());
  if (isKnown && URL.canParse(text)) return null;
  const meant = scheme === '' ? null : meantScheme(scheme);
  const candidate =
    meant !== null && whole !== undefined
      ? `${meant}://${trimmed.slice(whole.length)}`
      : withScheme(trimmed);
  return candidate === null || candidate === text ? null : fetchableAddress(candidate);
}

const QUOTES: ReadonlySet<string> = new Set(['<', '>', '"', "'", '`']);

/** Removes the punctuation that people put around a URL. */
function unwrapped(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && QUOTES.has(text[start] ?? '')) start++;
  while (end > start && QUOTES.has(text[end - 1] ?? '')) end--;
  return text.slice(start, end);
}

function meantScheme(given: string): string | null {
  if (OTHER_SCHEMES.has(given.toLowerCase())) return null;
  const [best] = SCHEMES.map((known) => ({
    known,
    edits: editsBetween(given.toLowerCase(), known),
  })).sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= MAX_SCHEME_EDITS ? best.known : null;
}

/** localhost rarely has a certificate. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(?=[:/?#]|$)/i;

function withScheme(text: string): string | null {
  const rest = text.replace(/^:?\/\//, '');
  if (/^[a-z][a-z\d+-]*:\/\//i.test(rest) || rest.startsWith('/')) return null;
  return `${LOOPBACK.test(rest) ? 'http' : 'https'}://${rest}`;
}

/** The URL as it would be sent, if its host looks like one that a person would type. */
function fetchableAddress(text: string): string | null {
  const encoded = text.replace(/\s/g, '%20');
  if (!URL.canParse(encoded)) return null;
  const { href, hostname, username } = new URL(encoded);
  const isHost = hostname.includes('.') || hostname === 'localhost' || hostname.startsWith('[');
  return isHost && username === '' && href.length <= MAX_REQUEST_URL_CHARS ? href : null;
}
