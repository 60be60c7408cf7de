import { TextDecoder } from 'node:util';

/** Bytes that are read: an XML declaration that names an encoding is far shorter. */
export const ENCODING_HEAD_BYTES = 1_024;

const DECLARATION = /^\s*<\?xml[^>]{0,400}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i;

/**
 * The encoding a sitemap is read by: byte order mark, UTF-16 without one, the header's charset, the
 * XML declaration, UTF-8. Of what declares itself UTF-16 in bytes that are not, the word is
 * ignored.
 */
export function createDecoder(head: Uint8Array, contentType: string | null): TextDecoder {
  return new TextDecoder(encodingOf(head, contentType));
}

function encodingOf(head: Uint8Array, contentType: string | null): string {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  const start = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const declared = DECLARATION.exec(start)?.[1];
  const named = CHARSET.exec(contentType ?? '')?.[1];
  return eightBit(named) ?? eightBit(declared) ?? 'utf-8';
}

function eightBit(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? null : encoding;
  } catch {
    // A word that names no encoding says nothing.
    return null;
  }
}
