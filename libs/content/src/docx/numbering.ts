import { indentOf, toLevel, type Indent, type Styles } from './styles.js';
import { child, type XmlElement } from '../files/xml-tree.js';
import { valueIn } from './word-xml.js';

/** What stands before a paragraph of a list. */
export interface ListMark {
  /** Lists with the same one count on together. */
  readonly series: object;
  readonly level: number;
  /** Undefined: a bullet. */
  readonly number?: number;
  /** False: the list counts but shows nothing. */
  readonly isShown: boolean;
  /** A bullet that is a box to tick shows its state. */
  readonly box?: string;
  readonly indent: Indent;
}

interface Level {
  readonly start: number;
  readonly look: 'number' | 'bullet' | 'nothing';
  readonly box?: string;
  /** Counted anew after a level above this one; undefined: after any above its own. */
  readonly restartBelow?: number;
  readonly paragraphStyle?: string;
  readonly indent: Indent;
}

/** Lists that count together (`w:abstractNum`). */
interface Series {
  readonly levels: ReadonlyMap<number, Level>;
  /** The style of lists that defines it instead. */
  readonly style?: string;
  readonly counts: Map<number, number>;
}

/** One list (`w:num`). */
interface List {
  readonly series: string;
  readonly levels: ReadonlyMap<number, Level>;
  /** Numbers that its levels begin with, whatever was counted before; each is taken once. */
  readonly starts: Map<number, number>;
}

/** Styles of lists that lead to each other. */
const MAX_LINKS = 10;

/** The numbers of a document's lists (ECMA-376 part 1, 17.9), as paragraphs come one after the other. */
export class Numbering {
  private readonly series = new Map<string, Series>();
  private readonly lists = new Map<string, List>();

  constructor(
    root: XmlElement | undefined,
    private readonly styles: Styles,
  ) {
    for (const element of root?.children ?? []) {
      const { 'w:abstractNumId': seriesId, 'w:numId': listId } = element.attributes;
      if (element.name === 'w:abstractNum' && seriesId !== undefined) {
        const style = valueIn(element, 'w:numStyleLink');
        const levels = levelsIn(element);
        this.series.set(seriesId, { levels, counts: new Map(), ...(style && { style }) });
      } else if (element.name === 'w:num' && listId !== undefined) {
        this.lists.set(listId, readList(element));
      }
    }
  }

  /** The level of a list that the first of these styles of paragraphs is tied to. */
  levelOf(listId: string, styles: readonly string[]): number | undefined {
    const levels = [...(this.seriesOf(listId)?.levels ?? [])];
    for (const style of styles) {
      const tied = levels.find(([, { paragraphStyle }]) => paragraphStyle === style);
      if (tied) return tied[0];
    }
    return undefined;
  }

  /** Counts a paragraph. Undefined: the list has no such level. */
  next(listId: string, level: number): ListMark | undefined {
    const list = this.lists.get(listId);
    const series = this.seriesOf(listId);
    const own = list?.levels.get(level) ?? series?.levels.get(level);
    if (list === undefined || series === undefined || own === undefined) return undefined;
    const { counts } = series;
    const number = list.starts.get(level) ?? (counts.get(level) ?? own.start - 1) + 1;
    list.starts.delete(level);
    counts.set(level, number);
    for (const [deeper, { restartBelow = deeper }] of series.levels) {
      if (deeper > level && level < restartBelow) counts.delete(deeper);
    }
    return {
      ...{ series, level, indent: own.indent, isShown: own.look !== 'nothing' },
      ...(own.look === 'number' && { number }),
      ...(own.box !== undefined && { box: own.box }),
    };
  }

  private seriesOf(listId: string): Series | undefined {
    let id: string | undefined = listId;
    for (let links = 0; links < MAX_LINKS && id !== undefined; links++) {
      const series: Series | undefined = this.series.get(this.lists.get(id)?.series ?? '');
      if (series?.style === undefined) return series;
      id = this.styles.listOf(series.style);
    }
    return undefined;
  }
}

function readList(element: XmlElement): List {
  const levels = new Map<number, Level>();
  const starts = new Map<number, number>();
  for (const override of element.children) {
    const level = toLevel(override.attributes['w:ilvl']);
    if (override.name !== 'w:lvlOverride' || level === undefined) continue;
    for (const [, own] of levelsIn(override)) levels.set(level, own);
    const start = integer(valueIn(override, 'w:startOverride'));
    if (start !== undefined) starts.set(level, start);
  }
  return { series: valueIn(element, 'w:abstractNumId') ?? '', levels, starts };
}

/** A level without an index is the first one. */
function levelsIn(element: XmlElement): ReadonlyMap<number, Level> {
  const levels = new Map<number, Level>();
  for (const one of element.children) {
    const level = toLevel(one.attributes['w:ilvl'] ?? '0');
    if (one.name === 'w:lvl' && level !== undefined) levels.set(level, readLevel(one));
  }
  return levels;
}

function readLevel(element: XmlElement): Level {
  const restart = integer(valueIn(element, 'w:lvlRestart'));
  const paragraphStyle = valueIn(element, 'w:pStyle');
  const text = valueIn(element, 'w:lvlText') ?? '';
  return {
    start: integer(valueIn(element, 'w:start')) ?? 1,
    look: lookOf(element),
    ...(BOX.test(text) && { box: text }),
    ...(restart !== undefined && { restartBelow: restart }),
    ...(paragraphStyle !== undefined && { paragraphStyle }),
    indent: indentOf(child(element, 'w:pPr')),
  };
}

const BOX = /^[☐☑☒]$/;

/** A text without a place for a number is the same before every item. */
function lookOf(element: XmlElement): Level['look'] {
  const format = valueIn(element, 'w:numFmt');
  const text = valueIn(element, 'w:lvlText');
  if (format === 'none' || text?.trim() === '') return 'nothing';
  if (format === 'bullet') return 'bullet';
  return text === undefined || text.includes('%') ? 'number' : 'bullet';
}

function integer(value: string | undefined): number | undefined {
  const number = Number.parseInt(value ?? '', 10);
  return Number.isNaN(number) ? undefined : number;
}
