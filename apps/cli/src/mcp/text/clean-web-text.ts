/**
 * Characters that a reader does not see but a model may follow: control characters, marks that reverse the writing
 * direction, invisible spaces, tags and the variation selectors in which text can be hidden. Zero-width joiners stay:
 * scripts and emoji need them.
 */
const INVISIBLE =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E01EF}]/gu;
const LINE_BREAK = /\r\n?|[\u2028\u2029]/g;
/** The tag that marks web content: a page must not be able to close it. */
const MARK_TAG = /<(\/?)(web-content)/gi;

/** Text of the web without characters that only a machine reads, and without the tag that marks its end. */
export function cleanWebText(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_BREAK, '\n')
    .replace(INVISIBLE, '')
    .replace(MARK_TAG, '&lt;$1$2');
}

/** The same on one line of at most `maxChars` characters. */
export function cleanWebLine(text: string, maxChars: number): string {
  const cut = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  return cleanWebText(cut)
    .replace(/[\n\t]/g, ' ')
    .trim();
}
