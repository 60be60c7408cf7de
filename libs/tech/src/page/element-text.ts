/** Text of an element is read to here, in characters of the source. */
const MAX_SOURCE_CHARS = 4_000;
const MAX_TEXT_CHARS = 2_000;
const TAG_NAME = /(\/?)([a-zA-Z][\w-]*)/y;

/** The text of an element from behind its start tag to its end, as far as it is read. */
export function elementText(html: string, name: string, from: number): string {
  const source = html.slice(from, from + MAX_SOURCE_CHARS);
  if (name === 'script' || name === 'style') return beforeEnd(source, `</${name}`);
  let text = '';
  let depth = 1;
  for (let at = 0; at < source.length;) {
    const tag = source.indexOf('<', at);
    text += source.slice(at, tag === -1 ? undefined : tag);
    if (tag === -1) break;
    depth += depthChange(source, tag + 1, name);
    const end = endOfMarkup(source, tag);
    if (depth === 0 || end === -1) break;
    at = end;
  }
  return text.slice(0, MAX_TEXT_CHARS);
}

function beforeEnd(source: string, end: string): string {
  const at = source.toLowerCase().indexOf(end);
  return (at === -1 ? source : source.slice(0, at)).slice(0, MAX_TEXT_CHARS);
}

/** 1 for a start tag of that name, -1 for its end tag. */
function depthChange(source: string, at: number, name: string): number {
  TAG_NAME.lastIndex = at;
  const [, slash, found] = TAG_NAME.exec(source) ?? [];
  if (found?.toLowerCase() !== name) return 0;
  return slash === '' ? 1 : -1;
}

/** Position behind the tag or comment at `at`; -1 without an end. */
function endOfMarkup(source: string, at: number): number {
  const mark = source.startsWith('<!--', at) ? '-->' : '>';
  const end = source.indexOf(mark, at + 1);
  return end === -1 ? -1 : end + mark.length;
}
