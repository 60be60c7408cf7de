import { encodingOfMeta, type ReadMeta } from './meta-encoding.js';
import { readAttributes } from './tag-attributes.js';

/**
 * "Prescan a byte stream to determine its encoding" (HTML standard 13.2.3.2) as far as it examines
 * tags, over bytes read as Latin-1. Tags count that start in the first `maxBytes`: where to stop is
 * for the reader to choose, and browsers have agreed on this. Undefined also when `text` ends inside
 * a tag.
 *
 * To the letter but for one thing: like browsers it does not look into `<title>`.
 */
export function prescanMeta(
  text: string,
  maxBytes: number,
  read: ReadMeta = encodingOfMeta,
): string | undefined {
  let at = 0;
  while ((at = text.indexOf('<', at)) !== -1 && at < maxBytes) {
    const step = takeMarkup(text, at, read);
    if (step === null) return undefined;
    if (step.encoding !== undefined) return step.encoding;
    at = step.end;
  }
  return undefined;
}

interface Step {
  readonly end: number;
  readonly encoding?: string;
}

const META = /<meta(?=[\t\n\f\r /])/iy;
const TITLE = /<title(?=[\t\n\f\r />])/iy;
const TAG = /<\/?[a-z][^\t\n\f\r >]*/iy;
const BOGUS = /<[!/?]/y;

function takeMarkup(head: string, start: number, read: ReadMeta): Step | null {
  if (head.startsWith('<!--', start)) return skipTo(head, '-->', start + 2);
  if (matchesAt(META, head, start)) return takeMeta(head, start, read);
  if (matchesAt(TITLE, head, start)) return skipTitle(head, start);
  const name = matchAt(TAG, head, start);
  if (name !== undefined) return readAttributes(head, start + name.length);
  return matchesAt(BOGUS, head, start) ? skipTo(head, '>', start) : { end: start + 1 };
}

function takeMeta(head: string, start: number, read: ReadMeta): Step | null {
  const tag = readAttributes(head, start + '<meta'.length);
  return tag === null ? null : { end: tag.end, encoding: read(tag.attributes) };
}

const TITLE_END = /<\/title/gi;

function skipTitle(head: string, start: number): Step | null {
  const tag = readAttributes(head, start + '<title'.length);
  if (tag === null) return null;
  TITLE_END.lastIndex = tag.end;
  const end = TITLE_END.exec(head);
  return end === null ? null : { end: end.index };
}

/** `<!-->` is a whole comment: the closing dashes may be the opening ones, so callers look back. */
export function skipTo(head: string, what: string, start: number): Step | null {
  const at = head.indexOf(what, start);
  return at === -1 ? null : { end: at + what.length };
}

function matchAt(pattern: RegExp, text: string, start: number): string | undefined {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
}

const matchesAt = (pattern: RegExp, text: string, start: number): boolean =>
  matchAt(pattern, text, start) !== undefined;
