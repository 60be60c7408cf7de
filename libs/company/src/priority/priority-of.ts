import { PRIORITIES, type Priority, PRIORITY_WORDS } from './priority-words.js';

export interface Ranked {
  readonly priority: Priority;
  /** 4: text and path say so, 3: one of them to the letter, 2 and 1: among other words. */
  readonly strength: number;
}

const KIND_OF: ReadonlyMap<string, Priority> = new Map(
  // Backwards, so that the first of two kinds that share a word keeps it.
  [...PRIORITIES].reverse().flatMap((kind) => PRIORITY_WORDS[kind].map((word) => [word, kind])),
);

/** Pages that are about something else, whatever words their addresses share, and files. */
const ELSEWHERE =
  /\/(?:blog|news|press|posts?|articles?|events?|products?|product|shop|store|category|tag|author|jobs?|careers?|wp-content|wp-json|feed|cart|checkout|account|login|search|aktuelles|actualites|noticias|karriere)\/|\/(?:19|20)\d\d\/|\.(?:pdf|jpe?g|png|gif|svg|webp|zip|docx?|xlsx?|mp[34]|ics|vcf|xml|rss)$/i;
const MAX_TEXT_CHARS = 60;

/** Which priority page a link leads to, by its text and its path; undefined: none. */
export function priorityOf(url: string, text: string): Ranked | undefined {
  const path = pathOf(url);
  if (path === '/' || ELSEWHERE.test(path)) return undefined;
  const byText = text.length <= MAX_TEXT_CHARS ? KIND_OF.get(wordsOf(text)) : undefined;
  const segment = wordsOf(
    (
      path
        .replace(/(?<!\/)\/+$/, '')
        .split('/')
        .at(-1) ?? ''
    ).replace(/\.(?:html?|php|aspx?|jsp|cfm)$/i, ''),
  );
  const byPath = KIND_OF.get(segment);
  if (byText !== undefined) return { priority: byText, strength: byText === byPath ? 4 : 3 };
  if (byPath !== undefined) return { priority: byPath, strength: 3 };
  return amongWords(wordsOf(text.slice(0, MAX_TEXT_CHARS)), 2) ?? amongWords(segment, 1);
}

/** Longest run of words that is known: `contact-our-office` holds `contact`. */
function amongWords(words: string, strength: number): Ranked | undefined {
  const parts = words.split('-').slice(0, 6);
  for (let length = parts.length; length > 0; length--)
    for (let start = 0; start + length <= parts.length; start++) {
      const run = parts.slice(start, start + length).join('-');
      const priority = run.length >= 4 ? KIND_OF.get(run) : undefined;
      if (priority !== undefined) return { priority, strength };
    }
  return undefined;
}

function pathOf(url: string): string {
  const path = (URL.parse(url)?.pathname ?? '/').slice(0, 500);
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign: the words are readable without it.
    return path;
  }
}

/** Lower case, without accents, words divided by single hyphens. */
function wordsOf(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[æ]/g, 'ae')
      .replace(/[ø]/g, 'o')
      .replace(/ł/g, 'l')
      .normalize('NFD')
      // The marks of Japanese kana are letters, not accents.
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
  );
}
