/** Longer texts hold more than names. */
const MAX_CHARS = 100;
const MAX_WORDS = 9;

/** Before a name, in the main languages. */
const BEFORE =
  /^(?:(?:(?:story|text|article|written|posted|published|words|report(?:ed)?|medically reviewed|reviewed|photos?)\s)?by|von|par|por|di|door|af|av|przez|autor(?:in|es)?|auteurs?|author|authors|redakteur|écrit par|escrito por|scritto da|geschrieben von|thread starter|writer|автор|作者)(?:\s?[:：]\s?|\s(?!$)|(?=：))/i;
/** What follows a name: its date, its place, its newspaper. */
const AFTER =
  /\s?(?:[|•·›»]|\s[–—-]\s|,?\s(?:on|am|le|el|il|op)\s\d|,?\s(?:updated|published|posted|aktualisiert|veröffentlicht|staff writer|contributor|editor|senior|reporter|contributing)\b|\s?\d{1,2}[./:-]\d|\s(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\p{L}{0,8}\.?\s\d|\b\d{4}\b|\()/iu;

const NO_NAME =
  /^(?:admin|administrator|author|authors|autor|by|editor|about the authors?|about|guest|anonymous|written by|posted by|follow|share|comments?|read more|more|profile|view profile|subscribe|home|null|undefined|none|user|unknown)$/i;

/** The name in a byline; undefined of what is none. */
export function authorNameOf(source: string): string | undefined {
  if (source.length > 4 * MAX_CHARS) return undefined;
  let text = source.replace(/\s+/g, ' ').trim();
  for (let turn = 0; turn < 2; turn++) text = text.replace(BEFORE, '').trim();
  const end = text.search(AFTER);
  text = bare(end === -1 ? text : text.slice(0, end));
  const isName =
    text.length >= 2 &&
    text.length <= MAX_CHARS &&
    text.split(' ').length <= MAX_WORDS &&
    /\p{L}/u.test(text) &&
    !/https?:|[<>{}!?]|\.\s\p{L}{4}/u.test(text) &&
    !NO_NAME.test(text);
  return isName ? text : undefined;
}

const MARK = /[\s,:;–—-]/;

/** Without marks at either end. */
function bare(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && MARK.test(text[from] ?? '')) from++;
  while (to > from && MARK.test(text[to - 1] ?? '')) to--;
  return text.slice(from, to);
}
