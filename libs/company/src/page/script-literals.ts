import { parseHtml, walk } from '@app/content';

/** `addy12 = '…' + '…'`, as Joomla's cloak writes it, with its start on the line before. */
const CLOAK =
  /\b(addy\w{0,80})\s{0,5}=\s{0,5}((?:addy\w{0,80}\s{0,5}\+\s{0,5})?'[^'\n]{0,200}'(?:\s{0,5}\+\s{0,5}'[^'\n]{0,200}'){0,10})/g;
/** `'info' + '@' + 'acme.com'`, however it is then written into the page. */
const JOINED =
  /['"]([\w.+-]{1,64})['"]\s{0,5}\+\s{0,5}(?:['"](?:@|&#64;)['"]|String\.fromCharCode\(64\))\s{0,5}\+\s{0,5}['"]([a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,4})['"]/gi;
const MAX_FOUND = 50;

/** Texts that scripts spell in pieces so that they are not in the source. */
export function scriptLiterals(source: string): readonly string[] {
  if (!/@|&#|fromCharCode\(64/.test(source)) return [];
  const joined = [...source.matchAll(JOINED)].map(([, user = '', host = '']) => `${user}@${host}`);
  return [...joined, ...cloaked(source)].slice(0, MAX_FOUND);
}

function cloaked(source: string): readonly string[] {
  if (!source.includes('addy')) return [];
  const texts = new Map<string, string>();
  for (const [, name = '', literals = ''] of source.matchAll(CLOAK)) {
    const text = [...literals.matchAll(/'([^']{0,200})'/g)].map(([, part = '']) => part).join('');
    texts.set(name, literals.startsWith('addy') ? (texts.get(name) ?? '') + text : text);
    if (texts.size > MAX_FOUND) break;
  }
  return [...texts.values()].map((text) => decoded(text.slice(0, 500)));
}

function decoded(text: string): string {
  let plain = '';
  walk(parseHtml(text), { text: (data) => void (plain += data), enter: () => true });
  return plain;
}
