import { parseHtml } from '../../dom/parse-html.js';
import { collapse, walk } from '../../dom/walk.js';
import { MAX_METADATA_CHARS } from '../../limits.js';

const BREAKING = new Set('br p div li tr ul ol table section h1 h2 h3 h4 h5 h6'.split(' '));
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff\0]/g;
const HAS_MARKUP = /[<&]/;
/** What templates leave where an owner should have written something. */
const PLACEHOLDER =
  /^(?:n\/?a|none|null|undefined|nan|tbd|tba|unknown|test|-+|\.+|\[object object\]|not available|(?:your|enter|insert|add) .{1,40} here.{0,20}|lorem ipsum.*|\{\{.*|%[a-z_]+%.*|\[[a-z_ -]+\])$/i;

/** Text of a value that may hold tags and entities; blocks end a line. At most 20,000 read. */
export function plainLines(value: string): readonly string[] {
  const source = value.slice(0, 4 * MAX_METADATA_CHARS);
  const text = HAS_MARKUP.test(source) ? textOfMarkup(source) : source;
  return text
    .replace(INVISIBLE, '')
    .toWellFormed()
    .split(/[\n\r\u0085\u2028\u2029]+/)
    .map(collapse)
    .filter((line) => line !== '');
}

/** Like {@link plainLines} as one line; undefined for nothing and for placeholders. */
export function plainLine(value: string, maxChars = MAX_METADATA_CHARS): string | undefined {
  const text = plainLines(value).join(' ').slice(0, maxChars).trim();
  return text === '' || PLACEHOLDER.test(text.slice(0, 100)) ? undefined : text;
}

function textOfMarkup(source: string): string {
  // Markup that was escaped twice shows its entities; a second look resolves them.
  const once = onePass(source);
  return /&(?:[a-z]{2,8}|#\d{1,6});/i.test(once) ? onePass(once.replaceAll('<', '&lt;')) : once;
}

function onePass(source: string): string {
  let text = '';
  walk(parseHtml(source), {
    text: (data) => void (text += data),
    enter({ name }) {
      if (BREAKING.has(name)) text += '\n';
      return name !== 'script' && name !== 'style';
    },
    leave: ({ name }) => void (BREAKING.has(name) && (text += '\n')),
  });
  return text;
}
