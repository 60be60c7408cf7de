import { createHash } from 'node:crypto';

/** File systems allow 255 bytes; this leaves room for a hash, the extension and a sync program's additions. */
const MAX_STEM_BYTES = 120;
const HASH_CHARS = 10;
/** Names of devices on Windows, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Names for the pages of a folder: readable, of one path segment, the same for the same URL and never shared by two
 * URLs, also on file systems that ignore case.
 */
export class PageFileNames {
  /** URL by name in lower case. */
  private readonly taken = new Map<string, string>();

  /** @param reserved names that no page may get */
  constructor(reserved: readonly string[] = []) {
    for (const name of reserved) this.taken.set(folded(name), '');
  }

  /** A name that was assigned before. */
  keep(url: string, name: string): void {
    this.taken.set(folded(name), url);
  }

  /** @param extension with its dot */
  assign(url: string, extension: string): string {
    const stem = stemOf(url);
    const plain = `${stem}${extension}`;
    if (this.isFree(plain, url)) return this.record(plain, url);
    // 40 bits of the URL: two URLs with the same path and query, such as http and https, still differ.
    return this.record(`${stem}-${hashOf(url)}${extension}`, url);
  }

  private isFree(name: string, url: string): boolean {
    const owner = this.taken.get(folded(name));
    return owner === undefined || owner === url;
  }

  private record(name: string, url: string): string {
    this.taken.set(folded(name), url);
    return name;
  }
}

/** Name without extension: letters, digits, dots, hyphens and underscores. */
function stemOf(url: string): string {
  const { hostname, pathname, search } = URL.canParse(url)
    ? new URL(url)
    : { hostname: '', pathname: url, search: '' };
  const path = pathname.replace(/^\/+/, '').replace(/(?:(?<!\/)\/+)?$/, '');
  const name = path === '' ? hostname : path.replace(/\.(?:html?|md)$/i, '');
  const text = search === '' ? name : `${name}_${search.slice(1)}`;
  const clean = decoded(text)
    .normalize('NFC')
    .replace(/\//g, '_')
    .replace(/[^\p{L}\p{N}\p{M}._-]+/gu, '-')
    .replace(/^[.-]+/, '')
    .replace(/(?<![.-])[.-]+$/, '');
  const stem = clean === '' ? 'page' : clean;
  if (RESERVED.test(stem)) return `_${stem}`;
  return Buffer.byteLength(stem) <= MAX_STEM_BYTES ? stem : `${cut(stem)}-${hashOf(url)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Not UTF-8: percent signs become hyphens.
  }
}

/** Cut between characters. */
function cut(stem: string): string {
  const bytes = Buffer.from(stem).subarray(0, MAX_STEM_BYTES);
  return new TextDecoder().decode(bytes).replace(/\ufffd{1,3}$/, '');
}

function hashOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, HASH_CHARS);
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
