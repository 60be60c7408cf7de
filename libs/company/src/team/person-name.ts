import { collapse } from '@app/content';
import { MAX_NAME_CHARS } from '../limits.js';
import { CREDENTIALS, NO_NAME_WORDS, PARTICLES, TITLES } from './name-words.js';

const LETTER = "[\\p{L}\\p{M}'’ʼ`]";
/** Anna, O'Neil, Jean-Luc, McKay, D’Angelo, ANNA. */
const NAME_WORD = new RegExp(`^\\p{Lu}${LETTER}*(?:[-‐]\\p{L}${LETTER}*){0,3}$`, 'u');
const INITIAL = /^\p{Lu}\.?(?:-?\p{Lu}\.?)?$/u;
const SUFFIX = /^(?:jr|sr|ii|iii|iv|junior|senior)\.?$/i;
const EAST_ASIAN =
  /^[\p{sc=Han}々ヶ]{1,4}[ \u3000]?[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}々ー]{1,5}$/u;
/** Parts of Chinese and Japanese headings. */
const EAST_ASIAN_HEADING =
  /会社|概要|案内|株式|社員|採用|情報|代表|取締|社長|部長|沿革|理念|事業|役員|紹介|挨拶|所在|設立|資本|電話|住所|営業|時間|製品|商品|一覧|公司|关于|聯|联系|团队|産業|工業|製作|組織|部門|業務|内容|従業|取引|銀行|本社|支店|工場|アクセス|スタッフ|メンバー|ニュース|お問/;
const HANGUL = /^\p{sc=Hangul}{2,4}$/u;
const PRONOUNS = /\s\((?:she|he|they|sie|er|elle|il|ella)\b[^)]{0,20}\)/i;
/** Most lines fail here, at their first character or length; cells of a row are not one name. */
const MAY_BE_NAME = /^\s*["“„'(]?[\p{Lu}\p{Lo}][^\t]{1,120}$/u;
const MAX_WORDS = 6;

/**
 * The name in a text that is one person's name and nothing else, without titles in front and
 * degrees behind; undefined of other texts.
 * @param minWords a given name alone is a name only where more speaks for it
 */
export function personName(text: string, minWords = 2): string | undefined {
  if (!MAY_BE_NAME.test(text)) return undefined;
  const bare = collapse(text)
    .replace(PRONOUNS, '')
    .replace(/(?<![*†®™\u200b])[*†®™\u200b]+$/u, '')
    .trim();
  if (bare.length < 2 || bare.length > MAX_NAME_CHARS) return undefined;
  if (EAST_ASIAN.test(bare)) return EAST_ASIAN_HEADING.test(bare) ? undefined : bare;
  if (HANGUL.test(bare)) return bare;
  if (/[\d@:;!?/&|=<>_#…{}[\]\\]|https?/.test(bare)) return undefined;
  const words = withoutTitles(withoutCredentials(bare));
  if (words.length < minWords || words.length > MAX_WORDS || words.length === 0) return undefined;
  return isName(words) ? words.join(' ') : undefined;
}

/** "Anna Lee, CPA, MBA" and "Anna Lee MD" without what follows the name. */
function withoutCredentials(text: string): readonly string[] {
  const [name = '', ...rest] = text.split(/(?:(?<!\s)\s+)?,\s*/);
  if (!rest.every((part) => part.split(/\s+/).every(isBehindName))) return [];
  const words = name.split(' ');
  while (words.length > 2 && isCredential(words.at(-1) ?? '')) words.pop();
  return words;
}

const isBehindName = (word: string): boolean =>
  isCredential(word) || SUFFIX.test(word) || ABBREVIATION.test(word);

/** Text behind a comma with two capitals is a degree that no list has: BVSc, CISR. */
const ABBREVIATION = /^(?=(?:.*\p{Lu}){2})\p{L}[\p{L}.-]{1,8}®?$/u;

const isCredential = (word: string): boolean => {
  const bare = word.replace(/[.,®]/g, '');
  // An initial or a suffix is part of the name; degrees are written in capitals.
  return (
    /^\p{Lu}/u.test(bare) &&
    bare.length > 1 &&
    CREDENTIALS.has(bare.toLowerCase()) &&
    !SUFFIX.test(bare)
  );
};

function withoutTitles(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !isTitle(word));
  return first === -1 ? [] : words.slice(first);
}

const isTitle = (word: string): boolean => {
  const bare = word.replace(/[.()]/g, '').toLowerCase();
  if (bare === '') return true;
  // `M.` may be an initial: a title only where it is written as one.
  if (bare.length === 1) return false;
  return bare.split('-').every((part) => TITLES.has(part)) || TITLES.has(bare);
};

function isName(words: readonly string[]): boolean {
  const [first = ''] = words;
  const last = words.at(-1) ?? '';
  if (!words.every((word, index) => isNamePart(word) || (index > 0 && isParticle(word))))
    return false;
  if (PARTICLES.has(first) || PARTICLES.has(last)) return false;
  // At least one word of some length: "A. B." is no name.
  return words.some((word) => NAME_WORD.test(word) && word.length > 1) && isNameEnd(last);
}

/** Also as some families write it: Étienne de La Tour, Michael St. James. */
const isParticle = (word: string): boolean => PARTICLES.has(word.replace(/\.$/, '').toLowerCase());

const isNameEnd = (word: string): boolean =>
  NAME_WORD.test(word) || SUFFIX.test(word) || INITIAL.test(word);

function isNamePart(word: string): boolean {
  if (PARTICLES.has(word) || INITIAL.test(word) || SUFFIX.test(word)) return true;
  // A nickname: William "Bill" Hayes, Robert (Bob) Lee.
  const bare = word.replace(/^["“”„'(‘«]+|(?<!["“”'’)»])["“”'’)»]+$/gu, '');
  return NAME_WORD.test(bare) && !isBrand(bare) && !isNoName(bare.toLowerCase());
}

/** GitHub, HubSpot: a capital inside, but for McKay, DeVito, O'Neil, JoAnn and the like. */
const isBrand = (word: string): boolean => /\p{Ll}\p{Lu}/u.test(word) && !CAPITAL_INSIDE.test(word);
const CAPITAL_INSIDE =
  /^(?:Mc|Mac|Mag|De|Del|Della|Des|Di|Da|Dal|Do|Du|La|Le|Li|Lo|Lu|Van|Von|Vander|Ver|Ter|Ten|Fitz|Saint|St|Al|El|Abd|Abu|Ibn|Ben|Bin|Bar|Ap|Jo|Mary|Anna?|Lee|Lou|Sue|Ray|Rose|Beth|Kay|Ma|Mi|Ni|Te|Tu)['’]?\p{Lu}|['’]\p{Lu}/u;

/** Ends of nouns that no family is named by: Workflow Automation, Data Visibility. */
const NOUN_END = /.{3}(?:ations?|itions?|ctions?|bility|bilities|izing|ising|ology|ological)$/;

const isNoName = (word: string): boolean => NO_NAME_WORDS.has(word) || NOUN_END.test(word);

/** What all spellings of one name share. */
export const nameKeyOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();
