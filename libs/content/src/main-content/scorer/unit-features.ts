import { isLeaf, type Block } from '../block-tree.js';
import { isHeading, proseOf, valueAt, type BlockWeights } from '../weights.js';
import { AROUND, readUnits, type Likes, type PageUnits } from './page-units.js';
import { asideTextOf, type AsideText } from '../aside-texts.js';

/** What the rules found out about a page. */
export interface Ruled {
  readonly blocks: readonly Block[];
  /** Without clutter. */
  readonly weights: BlockWeights;
  readonly isClutter: Uint8Array;
  /** One for each block that the rules keep. */
  readonly isKept: Uint8Array;
  readonly isArticleFound: boolean;
  /** Numbers of the page as a whole: its kind, and what its metadata says. */
  readonly page: readonly number[];
}

const HINTS = ['none', 'content', 'body', 'furniture', 'talk', 'clutter', 'main'];
const BITS = Object.values(AROUND);
const LEVELS_UP = [1, 2, 3, 5];
const NEIGHBOURS = [-2, -1, 1, 2];
/** Texts on each side that are summed up together. */
const WINDOW = 6;

export interface UnitFeatures {
  readonly units: readonly Block[];
  /** One row for each unit. */
  readonly rows: Float32Array;
}

export function featuresOf(ruled: Ruled): UnitFeatures {
  const reader = new UnitFeatureReader(ruled);
  return { units: reader.units, rows: reader.read() };
}

class UnitFeatureReader {
  readonly units: readonly Block[];
  private readonly rows: FeatureRows;
  private readonly known: PageUnits;
  private readonly prose: Float64Array;
  private readonly copies = new Map<string, number>();
  private readonly page: readonly number[];
  private readonly titleAt: number;
  private readonly firstKept: number;
  private readonly lastKept: number;

  constructor(private readonly ruled: Ruled) {
    this.known = readUnits(ruled.blocks);
    this.units = this.known.units;
    this.rows = new FeatureRows(this.units.length);
    this.prose = Float64Array.from(this.units, (unit) => proseOf(unit));
    for (const { text } of this.units) {
      const key = keyOf(text);
      this.copies.set(key, (this.copies.get(key) ?? 0) + 1);
    }
    const heading = this.units.findIndex(({ name }) => name === 'h1');
    this.titleAt = heading === -1 ? 0 : heading;
    const isKept = ({ index }: Block): boolean => ruled.isKept[index] === 1;
    this.firstKept = this.units.findIndex(isKept);
    this.lastKept = this.units.findLastIndex(isKept);
    this.page = this.pageNumbers();
  }

  read(): Float32Array {
    this.units.forEach((unit, at) => {
      this.addOwn(unit, at);
      this.addPlace(unit, at);
      this.addLevels(unit);
      this.addNeighbours(at);
      this.addLikes(unit);
      this.rows.addAll(this.page);
    });
    return this.rows.finish();
  }

  private addOwn(unit: Block, at: number): void {
    const { name, hint, ownInk, ownLinkInk, isInContent, isInFigure, images, links } = unit;
    addTextShape(this.rows, unit.text, ownInk, ownLinkInk);
    this.rows.add(HINTS.indexOf(hint));
    this.rows.add(nameCode(name));
    this.rows.add(headingLevel(name));
    this.rows.add(logOf(valueAt(this.prose, at)));
    this.rows.add(logOf(this.copies.get(keyOf(unit.text)) ?? 0));
    this.rows.add(logOf(images));
    this.rows.add(logOf(links));
    this.rows.addFlag(isInContent);
    this.rows.addFlag(isInFigure);
    this.rows.addFlag(isLeaf(unit));
  }

  private addPlace(unit: Block, at: number): void {
    const { ruled, known, units } = this;
    const bits = known.around[unit.index] ?? 0;
    for (const bit of BITS) this.rows.addFlag((bits & bit) !== 0);
    this.rows.add(known.depth[unit.index] ?? 0);
    this.rows.add(ratioOf(valueAt(known.inkBefore, unit.index), known.totalInk));
    this.rows.add(ratioOf(at, units.length));
    this.rows.add(Math.min(at, 200));
    this.rows.add(Math.min(units.length - at, 200));
    this.rows.add(clamp(at - this.titleAt, 200));
    this.rows.add(clamp(at - this.firstKept, 200));
    this.rows.add(clamp(at - this.lastKept, 200));
    this.rows.addFlag(ruled.isKept[unit.index] === 1);
    this.rows.addFlag(ruled.isClutter[unit.index] === 1);
  }

  /** Blocks around: how much they hold, and of which sort. */
  private addLevels(unit: Block): void {
    const { known, ruled } = this;
    let block: Block = unit;
    let up = 0;
    for (const level of LEVELS_UP) {
      for (; up < level && block.parent !== null; up++) block = block.parent;
      const { index, ink, linkInk } = block;
      this.rows.add(logOf(ink));
      this.rows.add(ratioOf(linkInk, ink));
      this.rows.add(ratioOf(ink, known.totalInk));
      this.rows.add(ratioOf(valueAt(ruled.weights.prose, index), ink));
      this.rows.add(logOf(ratioOf(ink, valueAt(known.texts, index))));
      this.rows.add(logOf(valueAt(known.headings, index)));
      this.rows.add(logOf(block.images));
    }
  }

  private addNeighbours(at: number): void {
    for (const step of NEIGHBOURS) {
      const unit = this.units[at + step];
      if (unit === undefined) {
        this.rows.add(-1);
        this.rows.add(-1);
        this.rows.add(-1);
        this.rows.add(-1);
        continue;
      }
      const { ownInk, ownLinkInk, name, index } = unit;
      this.rows.add(logOf(ownInk));
      this.rows.add(ratioOf(ownLinkInk, ownInk));
      this.rows.add(headingLevel(name));
      this.rows.add(this.ruled.isKept[index] ?? 0);
    }
    let [ink, linkInk, prose, kept] = [0, 0, 0, 0];
    for (let near = at - WINDOW; near <= at + WINDOW; near++) {
      const unit = this.units[near];
      if (unit === undefined) continue;
      ink += unit.ownInk;
      linkInk += unit.ownLinkInk;
      prose += valueAt(this.prose, near);
      if (this.ruled.isKept[unit.index] === 1) kept++;
    }
    this.rows.add(logOf(ink));
    this.rows.add(ratioOf(linkInk, ink));
    this.rows.add(ratioOf(prose, ink));
    this.rows.add(kept);
  }

  private addLikes(unit: Block): void {
    this.addLikesOf(unit);
    this.addLikesOf(unit.parent);
    this.addLikesOf(unit.parent?.parent ?? null);
  }

  private addLikesOf(block: Block | null): void {
    const { known, ruled } = this;
    const likes: Likes | undefined =
      block === null ? undefined : known.likes[known.likeOf[block.index] ?? -1];
    if (likes === undefined) return this.rows.addAll([0, 0, 0, 0, 0]);
    const { count, ink, linkInk, prose, first, last } = likes;
    this.rows.add(logOf(count));
    this.rows.add(logOf(ink / count));
    this.rows.add(ratioOf(linkInk, ink));
    this.rows.add(ratioOf(prose, ink));
    this.rows.add(ratioOf(last - first, ruled.blocks.length));
  }

  private pageNumbers(): readonly number[] {
    const { ruled, known, units } = this;
    const { totalProse, totalInk, totalLinkInk } = ruled.weights;
    const ofAll = (matches: (unit: Block) => boolean): number =>
      ratioOf(units.filter(matches).length, units.length);
    const repeated = Math.max(
      0,
      ...known.likes.slice(0, 2_000).map(({ ink, count }) => (count > 4 ? ink : 0)),
    );
    return [
      ...ruled.page,
      ruled.isArticleFound ? 1 : 0,
      logOf(known.totalInk),
      ratioOf(totalInk, known.totalInk),
      ratioOf(totalLinkInk, totalInk),
      ratioOf(totalProse, totalInk),
      ratioOf(Math.max(0, ...this.prose.slice(0, 50_000)), totalProse),
      logOf(units.length),
      ofAll(({ name }) => isHeading(name)),
      ofAll(({ name }) => name === 'li'),
      ofAll(({ name }) => name === 'p'),
      ofAll(({ name }) => name === 'pre'),
      ofAll(({ index }) => ruled.isKept[index] === 1),
      ofAll(({ index }) => ((known.around[index] ?? 0) & AROUND.talk) !== 0),
      ofAll(({ index }) => ((known.around[index] ?? 0) & AROUND.article) !== 0),
      ofAll(({ index }) => ((known.around[index] ?? 0) & AROUND.main) !== 0),
      ofAll(({ text }) => text.length < 60 && /[$€£¥₹]\s?\d|\d\s?[€£₽]/.test(text)),
      ofAll(({ ownInk, ownLinkInk }) => ownLinkInk > ownInk / 2),
      ratioOf(repeated, known.totalInk),
    ];
  }
}

const clamp = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

const keyOf = (text: string): string => text.slice(0, 80).trim();

const headingLevel = (name: string): number => (isHeading(name) ? Number(name[1]) : 0);

const NAMES =
  'div p li td th dt dd span a section article h1 h2 h3 h4 h5 h6 pre blockquote figcaption table ul ol dl form details summary label header footer nav aside time strong em body main'.split(
    ' ',
  );

const nameCode = (name: string): number => NAMES.indexOf(name);

/** Characters of a text that are read. */
const MAX_CHARS = 1_500;
/** Longer texts have no shape of their own. */
const MAX_SHORT_CHARS = 200;

const SENTENCE_ENDS = /[.!?…。！？]["'”’»)\]]*(?=\s|$)/g;
const DATE =
  /\b\d{1,2}[./-]\s?\d{1,2}[./-]\s?(?:19|20)?\d\d\b|\b(?:19|20)\d\d-\d\d\b|\b\d{1,2}:\d\d\b|\b(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\p{L}{0,8}\.?\s\d{1,4}\b|\b\d{1,2}\.?\s(?:de\s)?(?:jan|feb|fév|m[aä]r|apr|avr|ma[iy]|jui?n|jui?l|aug|aoû|sep|o[ck]t|nov|d[eé][cz])/iu;
const PRICE = /[$€£¥₹₽]\s?\d|\d\s?(?:[$€£¥₹₽]|(?:usd|eur|gbp|kr|zł|chf)\b)/i;
const NUMBERED = /^\s*(?:\(?\d{1,4}\)?[.):]?(?=\s|$)|[•·–-]\s)/;
const ASIDES: readonly AsideText[] = ['none', 'label', 'pointer', 'shout', 'call'];

interface Letters {
  readonly letters: number;
  readonly upper: number;
  readonly digits: number;
  readonly words: number;
}

/** Adds what a text looks like whatever its language: 17 numbers. */
function addTextShape(rows: FeatureRows, source: string, ink: number, linkInk: number): void {
  const text = source.slice(0, MAX_CHARS).replace(/\s+/g, ' ').trim();
  const isShort = text.length <= MAX_SHORT_CHARS;
  const { letters, upper, digits, words } = lettersOf(text);
  const sentences = text.match(SENTENCE_ENDS)?.length ?? 0;
  const isNumeric = isShort && digits > 0;
  const last = text.at(-1) ?? '';
  const aside = ink > MAX_SHORT_CHARS ? 'none' : asideTextOf(text, ratioOf(linkInk, ink), ink);
  rows.add(logOf(ink));
  rows.add(logOf(words));
  rows.add(ratioOf(linkInk, ink));
  rows.add(sentences);
  rows.add(ratioOf(text.length, words));
  rows.add(ratioOf(digits, text.length));
  rows.add(ratioOf(upper, letters));
  rows.add(ratioOf(letters, text.length));
  rows.add(ASIDES.indexOf(aside));
  rows.add(logOf(source.split('\n').length));
  rows.addFlag(isNumeric && DATE.test(text));
  rows.addFlag(isNumeric && PRICE.test(text));
  rows.addFlag(NUMBERED.test(text));
  rows.addFlag(last === ':');
  rows.addFlag(last === '?');
  rows.addFlag(last === '…');
  rows.addFlag(/[©®™]|https?:|@\w/.test(text));
}

/** By code units: accents and capitals outside ASCII count as letters without case. */
function lettersOf(text: string): Letters {
  let [letters, upper, digits, words, isInWord] = [0, 0, 0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isUpper = code >= 65 && code <= 90;
    const isDigit = code >= 48 && code <= 57;
    const isLetter = isUpper || (code >= 97 && code <= 122) || code >= 0xc0;
    if (isUpper) upper++;
    if (isDigit) digits++;
    if (isLetter) letters++;
    // Writing without spaces: each character is taken for half a word.
    if (code >= 0x3040 && code <= 0x9fff) words += 0.5;
    else if ((isLetter || isDigit) && !isInWord) words++;
    isInWord = isLetter || isDigit;
  }
  return { letters, upper, digits, words };
}

const USUAL_WIDTH = 160;

/** Rows of numbers, one for each text of a page: what the trees of the model compare. */
class FeatureRows {
  private values: Float32Array;
  private at = 0;

  /** @param count rows that are expected */
  constructor(count: number) {
    this.values = new Float32Array(Math.max(1, count) * USUAL_WIDTH);
  }

  add(value: number): void {
    if (this.at === this.values.length) this.grow();
    this.values[this.at++] = value;
  }

  addFlag(flag: boolean): void {
    this.add(flag ? 1 : 0);
  }

  addAll(values: readonly number[]): void {
    for (const value of values) this.add(value);
  }

  finish(): Float32Array {
    return this.values.subarray(0, this.at);
  }

  private grow(): void {
    const grown = new Float32Array(2 * this.values.length);
    grown.set(this.values);
    this.values = grown;
  }
}

/** Sizes are compared by their order of magnitude. */
const logOf = (value: number): number => Math.log2(1 + value);

const ratioOf = (part: number, all: number): number => (all === 0 ? 0 : part / all);
