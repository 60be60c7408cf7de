import { encodingOfByteOrderMark, encodingOfWideText } from './charset/sniff-charset.js';

/** What a body is, as far as conversion cares. */
export type BodyKind = 'html' | 'text' | 'json' | 'xml' | 'binary';

/** Bytes read (WHATWG MIME Sniffing uses 1,445). */
const SNIFF_BYTES = 1_445;

/**
 * Kind of a body: its Content-Type when that says something and the first bytes do not deny it,
 * else the first bytes alone.
 */
export function sniffKind(body: Uint8Array, contentType: string | null): BodyKind {
  const mime = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const declared = kindOfMime(mime);
  if (declared === 'binary') return 'binary';
  const head = headOf(body);
  if (isBinary(body, head)) return 'binary';
  if (declared === undefined) return kindOfText(head);
  // XHTML is often sent as plain XML; as a page it is worth more.
  return declared === 'xml' && XHTML_ROOT.test(head) ? 'html' : declared;
}

/** Whether a server says that its body is Markdown. */
export function isMarkdownType(contentType: string | null): boolean {
  return /^\s*text\/(?:x-)?markdown\s*(?:;|$)/i.test(contentType ?? '');
}

const XHTML_ROOT = /^(?:<\?xml[^>]*>|<!--[^>]*-->|\s)*(?:<!doctype\s+html[^>]*>\s*)?<html[\s>]/i;

function kindOfMime(mime: string): BodyKind | undefined {
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return 'html';
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(mime)) return 'json';
  if (/^(?:application|text)\/xml$|\+xml$/.test(mime)) return 'xml';
  if (/^text\/|^application\/(?:x-)?(?:java|ecma)script$|^application\/(?:x-)?ya?ml$/.test(mime)) {
    return 'text';
  }
  if (/^(?:image|audio|video|font)\//.test(mime)) return 'binary';
  return BINARY_APPLICATION.test(mime) ? 'binary' : undefined;
}

const BINARY_APPLICATION =
  /^application\/(?:pdf|zip|gzip|x-gzip|x-tar|x-7z-compressed|x-rar-compressed|wasm|msword|vnd\.(?:ms-|openxmlformats))/;

function headOf(body: Uint8Array): string {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SNIFF_BYTES));
  const marked = encodingOfByteOrderMark(body) ?? encodingOfWideText(body);
  if (marked === undefined) return head.toString('latin1');
  return new TextDecoder(marked).decode(head);
}

/** File signatures that servers like to send as text/html. */
const SIGNATURE =
  /^(?:%PDF-|\x89PNG|\xff\xd8\xff|GIF8[79]a|PK\x03\x04|\x1f\x8b\x08|Rar!\x1a|\x7fELF|RIFF....WEBP)/s;

/** "Binary data byte" of MIME Sniffing; tested after a byte order mark is decoded. */
const BINARY_CHARACTER = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

function isBinary(body: Uint8Array, head: string): boolean {
  if (SIGNATURE.test(head)) return true;
  if (!BINARY_CHARACTER.test(head)) return false;
  // A stray control byte in a page is common; a page full of tags is still a page.
  return !HTML_START.test(head) || body.subarray(0, SNIFF_BYTES).filter((b) => b === 0).length > 8;
}

const HTML_START =
  /^\s*(?:<!--|<(?:!doctype\s+html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|meta|link|nav|header|main|article|section|ul|span)[\s/>])/i;

function kindOfText(head: string): BodyKind {
  if (/^\s*<\?xml/i.test(head)) return XHTML_ROOT.test(head) ? 'html' : 'xml';
  if (HTML_START.test(head)) return 'html';
  if (/^\s*<(?:rss|feed|urlset|sitemapindex|rdf:rdf|svg)[\s>]/i.test(head)) return 'xml';
  if (/^\s*(?:\{\s*(?:"|\})|\[\s*(?:["{[\]\d-]|true|false|null))/.test(head)) return 'json';
  return 'text';
}
