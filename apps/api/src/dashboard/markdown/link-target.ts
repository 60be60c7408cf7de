/** The target of a Markdown link: `[label](url "title")`. */
export interface Target {
  readonly label: string;
  readonly address: string;
  /** Position after it. */
  readonly end: number;
}

const MAX_ADDRESS_CHARS = 2_048;
const MAX_TITLE_CHARS = 1_000;
/** Brackets inside the URL. */
const MAX_NESTED = 32;

/** Maps each opening square bracket to its closing one. Escaped brackets do not count. */
export function closingBrackets(text: string): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === '[') open.push(at);
    else if (char === ']') {
      const start = open.pop();
      if (start !== undefined) closing.set(start, at);
    }
  }
  return closing;
}

/** The link with the label between the two brackets; null if no target follows. */
export function readTarget(text: string, open: number, close: number): Target | null {
  if (text[close + 1] !== '(') return null;
  const label = text.slice(open + 1, close);
  const address = readAddress(text, skipSpace(text, close + 2));
  if (!address) return null;
  const at = skipTitle(text, skipSpace(text, address.end));
  return text[at] === ')' ? { label, address: address.text, end: at + 1 } : null;
}

function readAddress(text: string, from: number): { text: string; end: number } | null {
  if (text[from] === '<') {
    const end = text.slice(from, from + MAX_ADDRESS_CHARS).search(/[>\n]/);
    if (end < 0 || text[from + end] !== '>') return null;
    return { text: unescaped(text.slice(from + 1, from + end)), end: from + end + 1 };
  }
  const end = endOfAddress(text, from);
  return end === null ? null : { text: unescaped(text.slice(from, end)), end };
}

function endOfAddress(text: string, from: number): number | null {
  let nested = 0;
  for (let at = from; at <= from + MAX_ADDRESS_CHARS; at++) {
    const char = text.charAt(at);
    if (char === '' || char === ' ' || char === '\n') return at;
    if (char === '\\') at++;
    else if (char === '(' && ++nested > MAX_NESTED) return null;
    else if (char === ')' && --nested < 0) return at;
  }
  return null;
}

/** Skips a title in quotes, which is not shown, and the space after it. */
function skipTitle(text: string, at: number): number {
  const quote = text.charAt(at);
  if (quote !== '"' && quote !== "'") return at;
  const title = text.slice(at + 1, at + 1 + MAX_TITLE_CHARS);
  for (let end = 0; end < title.length; end++) {
    if (title[end] === '\\') end++;
    else if (title[end] === quote) return skipSpace(text, at + end + 2);
  }
  return at;
}

/** Of a long run only the start, so that repeated searches stay cheap. */
function skipSpace(text: string, from: number): number {
  let at = from;
  while ((text[at] === ' ' || text[at] === '\n') && at < from + MAX_NESTED) at++;
  return at;
}

function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&');
}
