import { allowRuleFor } from '@app/egress';
import { MAX_URL_CHARS } from '../fields.js';
import { editsBetween } from './closest-name.js';

/** Edits between a misspelt scheme and the one that was meant: `htp`, `htttps`, `hxxp`. */
const MAX_SCHEME_EDITS = 2;
const SCHEMES = ['http', 'https'] as const;
/** Near to `http` by their letters, and meant as they are. */
const OTHER_SCHEMES: ReadonlySet<string> = new Set(['ftp', 'ftps', 'sftp', 'smtp', 'rtp', 'rtsp']);
const SCHEME = /^([a-z]{2,8})(?::\/{0,3}|\/\/)(?=[^/])/i;

/**
 * What to do about an address that was refused, read from its text alone: so it says no more of the network
 * than the caller knew. Null: nothing is known beyond the refusal.
 */
export function urlHint(text: string): string | null {
  if (text.length > MAX_URL_CHARS) return `An address has at most ${MAX_URL_CHARS} characters.`;
  const meant = meantAddress(text);
  if (meant !== null) return `Did you mean ${meant}?`;
  return URL.canParse(text) ? hintOfUrl(new URL(text)) : null;
}

function hintOfUrl(url: URL): string | null {
  if (!/^https?:$/.test(url.protocol)) return 'Only http and https addresses are fetched.';
  if (url.username !== '' || url.password !== '')
    return 'Leave user name and password out of the address; `headers` can carry an authorization.';
  const rule = allowRuleFor(url);
  if (rule === null) return null;
  return `This address is not public. Where it is meant to be fetched, the operator of this service opens it by starting it with FETCH_ALLOW_PRIVATE=${rule}`;
}

const DOUBLED = /^https?:\/*(https?:\/\/.*)$/i;

/** The address a text probably stands for; null when the text is an address already, or none comes near. */
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

/** Without what people put around an address. */
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

/** This machine rarely has a certificate. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(?=[:/?#]|$)/i;

function withScheme(text: string): string | null {
  const rest = text.replace(/^:?\/\//, '');
  if (/^[a-z][a-z\d+-]*:\/\//i.test(rest) || rest.startsWith('/')) return null;
  return `${LOOPBACK.test(rest) ? 'http' : 'https'}://${rest}`;
}

/** As it would be sent, if it names a host in a form that a person would type. */
function fetchableAddress(text: string): string | null {
  const encoded = text.replace(/\s/g, '%20');
  if (!URL.canParse(encoded)) return null;
  const { href, hostname, username } = new URL(encoded);
  const isHost = hostname.includes('.') || hostname === 'localhost' || hostname.startsWith('[');
  return isHost && username === '' && href.length <= MAX_URL_CHARS ? href : null;
}
