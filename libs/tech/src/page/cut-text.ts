import type { TechReason } from '../technology.js';

const KB = 1_024;
/** A character of JavaScript is at most three bytes of UTF-8. */
const MAX_BYTES_PER_CHAR = 3;

/** What of a page is read (specification: tech_meta). */
export const SCAN_CAPS = {
  sampleHeadBytes: 384 * KB,
  sampleTailBytes: 128 * KB,
  tagScanBytes: 4_096 * KB,
  inlineScriptBlockBytes: 64 * KB,
  inlineScriptTotalBytes: 512 * KB,
  valueChars: 2_000,
  items: 500,
  tagsOfAKind: 2_000,
} as const;

/** Cuts what is too much and remembers why. */
export class Cuts {
  private readonly found = new Set<TechReason>();

  get reasons(): ReadonlySet<TechReason> {
    return this.found;
  }

  add(reason: TechReason): void {
    this.found.add(reason);
  }

  value(text: string): string {
    if (text.length <= SCAN_CAPS.valueChars) return text;
    this.add('value_cap');
    return text.slice(0, SCAN_CAPS.valueChars);
  }

  /** Adds to a list that has its cap. */
  item<T>(list: T[], item: T): void {
    if (list.length < SCAN_CAPS.items) list.push(item);
    else this.add('item_cap');
  }
}

/** Whether the text takes more than so many bytes of UTF-8. */
export function isLongerThan(text: string, maxBytes: number): boolean {
  if (text.length * MAX_BYTES_PER_CHAR <= maxBytes) return false;
  return text.length > maxBytes || Buffer.byteLength(text) > maxBytes;
}

const ENCODER = new TextEncoder();

/** The beginning of the text that takes at most `maxBytes` of UTF-8, cut between characters. */
export function firstBytes(text: string, maxBytes: number): string {
  if (!isLongerThan(text, maxBytes)) return text;
  const { read } = ENCODER.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/** The end of the text that takes at most `maxBytes`. */
export function lastBytes(text: string, maxBytes: number): string {
  let from = text.length;
  for (let bytes = 0; from > 0; from--) {
    bytes += bytesOf(text.charCodeAt(from - 1));
    if (bytes > maxBytes) break;
  }
  return text.slice(from);
}

/** Half of a pair counts for half of its four bytes. */
function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800 || (code >= 0xd800 && code <= 0xdfff)) return 2;
  return 3;
}
