import { decodeBody, sniffCharset, type FetchedSheet } from '@app/content';
import type { HttpResponse } from '@app/egress';

/** Content types of a style sheet; some servers send none, or a generic one. */
const SHEET_TYPE = /^\s*(?:text\/css|text\/plain|application\/(?:octet-stream|x-css)|;|$)/i;
const MARK = /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)/;
/** `@charset` counts only in exactly these bytes (CSS Syntax 3, 3.2). */
const CHARSET = /^@charset "([\w:-]{1,40})";/;

/** The text of a style sheet; null if the response is none (an error page, an image). */
export function sheetText(response: HttpResponse, body: Uint8Array): FetchedSheet | null {
  const { status, headers, url } = response;
  const header = headers['content-type'];
  const contentType = typeof header === 'string' ? header : '';
  if (status < 200 || status >= 300 || !SHEET_TYPE.test(contentType)) return null;
  return { url, css: decodeBody(body, charsetOf(body, contentType)) };
}

/** Byte order mark, Content-Type, `@charset`, else UTF-8. */
function charsetOf(body: Uint8Array, contentType: string): string {
  const head = Buffer.from(body.subarray(0, 64)).toString('latin1');
  const inside = CHARSET.exec(head)?.[1];
  const isMarked = MARK.test(head);
  if (!isMarked && /charset\s*=/i.test(contentType)) return sniffCharset(body, contentType);
  if (isMarked) return sniffCharset(body, null);
  return inside === undefined ? 'utf-8' : sniffCharset(body, `text/css; charset=${inside}`);
}
