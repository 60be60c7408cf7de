import { MAX_MAIL_DEPTH, MAX_MAIL_PARTS } from '../limits.js';
import { MailHeader, quotedBytes } from './mail-header.js';

/** A part of a mail (RFC 2045), or the mail itself. */
export interface MailPart {
  readonly header: MailHeader;
  /** In lower case; `text/plain` where it says nothing. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** Of a multipart, or the mail in a `message/rfc822`. */
  readonly parts: readonly MailPart[];
  /** Latin-1, encoded for transfer. */
  readonly body: string;
}

/** Reads the parts of a mail, each once. */
export class MailReader {
  private count = 0;
  /** There were more parts than are read, or they nest deeper. */
  isCut = false;

  /** @param source Latin-1, one character for each byte */
  read(source: string, depth = 0, fallback = 'text/plain'): MailPart {
    this.count++;
    const gap = /\r?\n[ \t]*\r?\n/.exec(source);
    const headerEnd = source.startsWith('\n') || source.startsWith('\r\n') ? 0 : gap?.index;
    const header = new MailHeader(source.slice(0, headerEnd ?? source.length));
    const bodyStart =
      headerEnd === 0
        ? source.indexOf('\n') + 1
        : (gap?.index ?? source.length) + (gap?.[0].length ?? 0);
    const body = source.slice(bodyStart);
    const { value, parameters } = header.parametric('content-type');
    const type = /^[\w.+-]+\/[\w.+-]+$/.test(value) ? value : fallback;
    const part = { header, type, parameters, body };
    const holdsParts = type === 'message/rfc822' || type.startsWith('multipart/');
    if (holdsParts && depth >= MAX_MAIL_DEPTH) {
      this.isCut = true;
      return { ...part, parts: [] };
    }
    if (type === 'message/rfc822') {
      const isCoded = /^(?:base64|quoted-printable)$/i.test(
        header.raw('content-transfer-encoding') ?? '',
      );
      const mail = isCoded ? bodyBytes(part).toString('latin1') : body;
      return { ...part, parts: [this.read(mail, depth + 1)] };
    }
    if (!holdsParts) return { ...part, parts: [] };
    const inner = type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    const parts = this.readAll(body, parameters.get('boundary') ?? '', (one) =>
      this.read(one, depth + 1, inner),
    );
    // Without its delimiter it is what it looks like.
    return parts.length === 0 && !this.isCut
      ? { ...part, type: 'text/plain', parts }
      : { ...part, parts };
  }

  /** Whether no other part is read; keeps that there was one. */
  stops(): boolean {
    const isFull = this.count >= MAX_MAIL_PARTS;
    this.isCut ||= isFull;
    return isFull;
  }

  private readAll(body: string, boundary: string, read: (source: string) => MailPart): MailPart[] {
    const parts: MailPart[] = [];
    if (boundary === '') return parts;
    for (const source of sourcesBetween(body, `--${boundary}`)) {
      if (this.stops()) break;
      parts.push(read(source));
    }
    return parts;
  }
}

/** The blank line and the line between mails of a mailbox (RFC 4155), before a field of the next. */
const NEXT_MAIL = /(?<=\n)\r?\nFrom [^\n]*\n(?=[\w-]{1,76}:)/g;

/**
 * Mails of a mailbox, or the one mail of another source.
 * @param source Latin-1, one character for each byte
 */
export function* mailsIn(source: string): Generator<string> {
  const text = source.replace(/^(?:\xef\xbb\xbf)?\s*/, '');
  if (!text.startsWith('From ')) return yield text;
  // Lines that would part mails are escaped.
  const mail = (from: number, to?: number): string =>
    text.slice(from, to).replace(/^>(>*From )/gm, '$1');
  let start = text.indexOf('\n') + 1;
  for (const { 0: line, index } of text.matchAll(NEXT_MAIL)) {
    yield mail(start, index);
    start = index + line.length;
  }
  yield mail(start);
}

/** What is between lines of a delimiter; the last part may lack its end (RFC 2046, 5.1.1). */
function* sourcesBetween(body: string, delimiter: string): Generator<string> {
  let start = -1;
  let at = body.indexOf(delimiter);
  while (at !== -1) {
    const isLine = at === 0 || body[at - 1] === '\n';
    const after = at + delimiter.length;
    const isLast = body.startsWith('--', after);
    if (isLine && (isLast || /[ \t\r\n]/.test(body[after] ?? '\n'))) {
      if (start !== -1) yield withoutLineEnd(body.slice(start, at));
      if (isLast) return;
      const line = body.indexOf('\n', after);
      start = line === -1 ? body.length : line + 1;
    }
    at = body.indexOf(delimiter, after);
  }
  if (start !== -1 && start < body.length) yield body.slice(start);
}

/** The line end before a delimiter belongs to it. */
function withoutLineEnd(text: string): string {
  if (text.endsWith('\r\n')) return text.slice(0, -2);
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** The bytes of a part (RFC 2045, 6). */
export function bodyBytes({ header, body }: Pick<MailPart, 'header' | 'body'>): Buffer {
  switch (header.raw('content-transfer-encoding')?.toLowerCase() ?? '') {
    case 'base64':
      return Buffer.from(body, 'base64');
    case 'quoted-printable':
      return quotedBytes(body);
    default:
      return Buffer.from(body, 'latin1');
  }
}
