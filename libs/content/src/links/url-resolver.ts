import { MAX_LINK_URL_CHARS } from '../limits.js';

/**
 * Paths that come out of the URL parser as they went in: ASCII segments that start with a word
 * character (so no dot segments), nothing to encode, no query, no fragment.
 */
const PLAIN_PATH = /^(?:\/[\w-][\w.-]*)*\/?$/;

/** Schemes that lead nowhere; refused before the parser copies a megabyte of base64. */
const NOT_AN_ADDRESS = /^[\s\0]*(?:javascript|data|blob|vbscript|about|file):/i;

/**
 * Resolves the addresses of one page, always to what `new URL(reference, base).href` gives, but
 * remembers them (navigation repeats) and skips the parser for plain paths of the same site.
 */
export class UrlResolver {
  private readonly base: URL | null;
  private readonly origin: string | undefined;
  private readonly known = new Map<string, string | undefined>();

  /** `base` is an absolute address; with any other, only absolute references resolve. */
  constructor(base: string) {
    this.base = URL.parse(base);
    const isWeb = this.base?.protocol === 'http:' || this.base?.protocol === 'https:';
    // A path keeps the user name and password of its base, so those take the long way.
    const isPlain = isWeb && this.base?.username === '' && this.base.password === '';
    this.origin = isPlain ? this.base?.origin : undefined;
  }

  /** Absolute address with its fragment, or undefined when it leads nowhere. */
  resolve(reference: string): string | undefined {
    if (reference.length > MAX_LINK_URL_CHARS) return undefined;
    if (this.known.has(reference)) return this.known.get(reference);
    const address = this.fast(reference) ?? this.parse(reference);
    this.known.set(reference, address);
    return address;
  }

  /** Like {@link resolve}, http and https only. */
  resolveWeb(reference: string): string | undefined {
    const address = this.resolve(reference);
    return address !== undefined && isWebAddress(address) ? address : undefined;
  }

  private fast(reference: string): string | undefined {
    if (this.origin === undefined) return undefined;
    if (reference.charCodeAt(0) === 47) {
      return reference.length > 1 && PLAIN_PATH.test(reference)
        ? this.origin + reference
        : undefined;
    }
    const isOwn = reference.startsWith(this.origin) && reference[this.origin.length] === '/';
    return isOwn && PLAIN_PATH.test(reference.slice(this.origin.length)) ? reference : undefined;
  }

  private parse(reference: string): string | undefined {
    if (NOT_AN_ADDRESS.test(reference)) return undefined;
    return URL.parse(reference, this.base?.href)?.href;
  }
}

export function isWebAddress(address: string): boolean {
  return address.startsWith('http://') || address.startsWith('https://');
}

/** The address of the document alone. */
export function withoutFragment(address: string): string {
  const hash = address.indexOf('#');
  return hash === -1 ? address : address.slice(0, hash);
}
