import { encodingOfMeta } from './meta-encoding.js';
import { skipTo } from './prescan-meta.js';
import { readAttributes } from './tag-attributes.js';

/**
 * The encoding that a meta element in the head declares, anywhere in the head: browsers
 * start over when their parser meets one past the prescan. Tags are read as a parser reads them:
 * not in scripts, styles and templates, and not once the head has ended. Bytes read as Latin-1.
 */
export function lateMeta(text: string): string | undefined {
  let at = 0;
  for (;;) {
    SPACES.lastIndex = at;
    SPACES.test(text);
    const step = takeHeadContent(text, SPACES.lastIndex);
    if (step === null) return undefined;
    if (step.encoding !== undefined) return step.encoding;
    at = step.end;
  }
}

interface Step {
  readonly end: number;
  readonly encoding?: string;
}

const SPACES = /[\t\n\f\r ]*/y;
const TAG = /<(\/?)([a-z][^\t\n\f\r />]*)/iy;

/** Tags that hold nothing a parser would look into. */
const RAW = new Set(['title', 'script', 'style', 'noscript', 'noframes']);
const EMPTY = new Set(['html', 'head', 'base', 'basefont', 'bgsound', 'link']);
/** Other end tags are passed over in a head. */
const ENDS_HEAD = new Set(['head', 'body', 'html', 'br']);

/** Takes one thing that may be in a head; null at the head's end. */
function takeHeadContent(text: string, start: number): Step | null {
  if (text.startsWith('<!--', start)) return skipTo(text, '-->', start + 2);
  TAG.lastIndex = start;
  const match = TAG.exec(text);
  if (match === null)
    return /^<[!?/]/.test(text.slice(start, start + 2)) ? skipTo(text, '>', start) : null;
  const [whole, slash, written = ''] = match;
  const name = written.toLowerCase();
  const tag = readAttributes(text, start + whole.length);
  if (tag === null) return null;
  if (slash === '/') return ENDS_HEAD.has(name) ? null : { end: tag.end };
  if (name === 'meta') return { end: tag.end, encoding: encodingOfMeta(decoded(tag.attributes)) };
  if (RAW.has(name)) return skipRaw(text, name, tag.end);
  if (name === 'template') return skipTemplate(text, tag.end);
  return EMPTY.has(name) ? { end: tag.end } : null;
}

function skipRaw(text: string, name: string, start: number): Step | null {
  const end = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
  end.lastIndex = start;
  const match = end.exec(text);
  return match === null ? null : { end: match.index };
}

/** Templates nest; what looks like one in a script inside is rare enough not to matter. */
function skipTemplate(text: string, start: number): Step | null {
  const edge = /<(\/?)template(?=[\t\n\f\r />])/gi;
  edge.lastIndex = start;
  let depth = 1;
  let match: RegExpExecArray | null;
  while ((match = edge.exec(text)) !== null) {
    depth += match[1] === '/' ? -1 : 1;
    if (depth === 0) return { end: match.index };
  }
  return null;
}

/** Labels hold letters without named references, so only numeric ones need decoding. */
const REFERENCE = /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi;

function decoded(attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const decode = (value: string): string =>
    value.replace(REFERENCE, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x7f ? String.fromCharCode(code).toLowerCase() : '\ufffd';
    });
  return new Map([...attributes].map(([name, value]) => [name, decode(value)]));
}
