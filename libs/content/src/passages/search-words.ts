import { createRequire } from 'node:module';

type Stem = (word: string) => string;

const require = createRequire(import.meta.url);

/** Rules for endings by primary language subtag (BCP 47); languages without any are compared by whole words. */
const RULES: Readonly<Record<string, string>> = {
  ...{ ar: 'arabic', bg: 'bulgarian', da: 'danish', nl: 'dutch', en: 'english', fi: 'finnish' },
  ...{ fr: 'french', de: 'german', el: 'greek', hu: 'hungarian', id: 'indonesian', it: 'italian' },
  ...{ lt: 'lithuanian', no: 'norwegian', nb: 'norwegian', nn: 'norwegian', pt: 'portuguese' },
  ...{ ro: 'romanian', ru: 'russian', sr: 'serbian', sl: 'slovenian', es: 'spanish' },
  ...{ sv: 'swedish', tr: 'turkish', uk: 'ukrainian' },
};

const loaded = new Map<string, Stem>();

function stemOf(language: string): Stem {
  const rules = RULES[language.split(/[-_]/, 1)[0]?.toLowerCase() ?? ''];
  if (rules === undefined) return (word) => word;
  const known = loaded.get(rules);
  if (known) return known;
  const { stemmer } = require(`@orama/stemmers/${rules}`) as { readonly stemmer: Stem };
  loaded.set(rules, stemmer);
  return stemmer;
}

/** Longer ones are data. */
const MAX_WORD_CHARS = 64;
const MAX_KNOWN = 50_000;
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts that write no spaces between words, and Hangul, whose words have many endings: pairs of letters are compared. */
const PAIRED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]/u;
const ACCENTS = /[\u0300-\u036f]/g;
const HUMP = /(?<=[a-z\d])(?=[A-Z])/;

/** Words of texts in one language as a search compares them: without case, accents and endings. */
export class SearchWords {
  private readonly stem: Stem;
  private readonly known = new Map<string, string>();

  /** @param language tag that a page declares; without one, endings are those of English */
  constructor(language = 'en') {
    this.stem = stemOf(language);
  }

  *of(text: string): Generator<string> {
    for (const [run] of text.matchAll(RUN)) {
      if (PAIRED.test(run)) yield* pairs(run);
      else if (run.length <= MAX_WORD_CHARS) {
        yield this.base(run);
        // A name in code has words, too.
        if (HUMP.test(run)) for (const part of run.split(HUMP)) yield this.base(part);
      }
    }
  }

  private base(word: string): string {
    const known = this.known.get(word);
    if (known !== undefined) return known;
    const base = this.stem(word.toLowerCase()).normalize('NFKD').replace(ACCENTS, '');
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(word, base);
    return base;
  }
}

function* pairs(run: string): Generator<string> {
  const letters = [...run.normalize('NFKC').slice(0, MAX_RUN_CHARS)];
  if (letters.length === 1) yield* letters;
  for (let at = 0; at + 1 < letters.length; at++) yield `${letters[at]}${letters[at + 1]}`;
}

/** A line of a text without spaces or signs. */
const MAX_RUN_CHARS = 10_000;
