import { isUtf8 } from 'node:buffer';
import { decodeBody, sniffCharset } from '../charset/sniff-charset.js';
import { MAX_MAIL_FIELD_CHARS, MAX_MAIL_FIELDS } from '../limits.js';

/** A field with a value and parameters (RFC 2045, 5.1; RFC 2183). */
export interface ParametricField {
  /** In lower case. */
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Fields of a header (RFC 5322, 2.2) by name in lower case; of several with one name the first counts. */
export class MailHeader {
  private readonly fields = new Map<string, string>();

  /** @param source Latin-1, one character for each byte */
  constructor(source: string) {
    let at = 0;
    for (let count = 0; at < source.length && count < MAX_MAIL_FIELDS; count++) {
      const end = endOfField(source, at);
      const field = source.slice(at, Math.min(end, at + MAX_MAIL_FIELD_CHARS));
      const colon = field.indexOf(':');
      const name = field.slice(0, Math.max(0, colon)).trim().toLowerCase();
      if (name !== '' && !this.fields.has(name))
        this.fields.set(
          name,
          field
            .slice(colon + 1)
            .replace(/\r?\n/g, '')
            .trim(),
        );
      at = end;
    }
  }

  /** As it is in the file, in one line. */
  raw(name: string): string | undefined {
    return this.fields.get(name);
  }

  /** As text for readers; undefined: it is missing or blank. */
  text(name: string): string | undefined {
    const raw = this.fields.get(name);
    const text = raw === undefined ? '' : decodeWords(raw).replace(/\s+/g, ' ').trim();
    return text === '' ? undefined : text;
  }

  parametric(name: string): ParametricField {
    return parametricField(this.fields.get(name) ?? '');
  }
}

/** Where the line ends that no line goes on with. */
function endOfField(source: string, from: number): number {
  let at = from;
  do {
    const end = source.indexOf('\n', at);
    if (end === -1) return source.length;
    at = end + 1;
  } while (source[at] === ' ' || source[at] === '\t');
  return at;
}

const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]*)\?=/gi;

/** Encoded words (RFC 2047) as text. A character may be cut in two by words that follow each other. */
function decodeWords(raw: string): string {
  let text = '';
  let end = 0;
  let charset = '';
  let pending: Buffer[] = [];
  const flush = (): void => {
    if (pending.length > 0) text += decodeText(Buffer.concat(pending), charset);
    pending = [];
  };
  for (const match of raw.matchAll(ENCODED_WORD)) {
    const [word, label = '', encoding = '', data = ''] = match;
    const between = raw.slice(end, match.index);
    const isNext = end > 0 && between.trim() === '';
    if (!isNext || label.toLowerCase() !== charset) flush();
    if (!isNext) text += decodeRaw(between);
    charset = label.toLowerCase();
    pending.push(
      encoding.toLowerCase() === 'b'
        ? Buffer.from(data, 'base64')
        : quotedBytes(data.replaceAll('_', ' ')),
    );
    end = match.index + word.length;
  }
  flush();
  return text + decodeRaw(raw.slice(end));
}

/** Bytes beyond ASCII are UTF-8 (RFC 6532) or, in old mails, what Windows has. */
function decodeRaw(raw: string): string {
  const bytes = Buffer.from(raw, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : decodeBody(bytes, 'windows-1252');
}

/** @param label of its charset; one that is unknown is found from the bytes */
export function decodeText(bytes: Uint8Array, label: string): string {
  return decodeBody(bytes, sniffCharset(bytes, `text/plain; charset=${label || 'utf-8'}`));
}

/** Quoted-printable (RFC 2045, 6.7). What is no code is text. @param source Latin-1 */
export function quotedBytes(source: string): Buffer {
  const text = source
    .replace(/=[ \t]{0,10}\r?\n/g, '')
    .replace(/=([\da-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  return Buffer.from(text, 'latin1');
}

const MAX_PARAMETERS = 50;
const PARAMETER =
  /;\s{0,100}([\w*.-]{1,60})\s{0,20}=\s{0,20}(?:"((?:[^"\\]|\\.)*)(?:"|$)|([^;\s]*))/gs;

function parametricField(raw: string): ParametricField {
  const value = raw.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const parameters = new Map<string, string>();
  const pieces = new Map<string, string[]>();
  for (const [, name = '', quoted, bare = ''] of raw.matchAll(PARAMETER)) {
    if (parameters.size + pieces.size >= MAX_PARAMETERS) break;
    const key = name.toLowerCase();
    const text = quoted === undefined ? bare : quoted.replace(/\\(.)/gs, '$1');
    const [, base, index] = /^([^*]+)(?:\*(\d{1,2}))?\*?$/.exec(key) ?? [];
    if (base === undefined || !key.includes('*')) {
      if (!parameters.has(key)) parameters.set(key, decodeWords(text));
    } else {
      const list = pieces.get(base) ?? [];
      list[Number(index ?? 0)] ??= key.endsWith('*') ? text : encodeURIComponent(text);
      pieces.set(base, list);
    }
  }
  for (const [name, list] of pieces) parameters.set(name, extendedValue(list.join('')));
  return { value, parameters };
}

/** A value in a charset of its own (RFC 2231, 4): `utf-8'en'a%20b`. */
function extendedValue(text: string): string {
  const [, charset = 'utf-8', coded = text] = /^([\w-]{0,40})'[\w-]{0,20}'(.*)$/s.exec(text) ?? [];
  return decodeText(quotedBytes(coded.replaceAll('=', '=3D').replaceAll('%', '=')), charset);
}
