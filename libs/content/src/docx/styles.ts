import { child, type XmlElement } from '../files/xml-tree.js';
import { isTurnedOn, valueIn } from './word-xml.js';

/** How a paragraph of a style is shown, where its name says so. `p`: not as an item of a list, whatever its numbering. */
export type StyledBlock = 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'p' | 'blockquote' | 'pre';

/** What a paragraph has from its style. */
export interface ParagraphStyle {
  /** The style and those it is based on, the nearest first. */
  readonly ids: readonly string[];
  readonly block?: StyledBlock;
  /** The list it belongs to. */
  readonly list?: string;
  readonly level?: number;
  readonly indent: Indent;
}

/** In twentieths of a point. */
export interface Indent {
  readonly start?: number;
  /** Of the first line, beside the others; negative where it hangs. */
  readonly firstLine?: number;
}

/** By name, in capitals. Word's own styles have English names in every language. */
const BLOCKS: ReadonlyMap<string, StyledBlock> = new Map([
  ['TITLE', 'h1'],
  ['HEADING', 'h1'],
  ['SUBTITLE', 'p'],
  ['QUOTE', 'blockquote'],
  ['INTENSE QUOTE', 'blockquote'],
  ['HTML PREFORMATTED', 'pre'],
  ['SOURCE CODE', 'pre'],
  ['FOOTNOTE TEXT', 'p'],
  ['ENDNOTE TEXT', 'p'],
  ['FOOTNOTE', 'p'],
  ['ENDNOTE', 'p'],
]);

const CODE = new Set(['HTML CODE', 'VERBATIM CHAR']);

/** Styles that are based on each other, one below the other. */
const MAX_BASES = 50;

type Kind = 'paragraph' | 'character' | 'numbering';

interface Style {
  readonly id: string;
  readonly name: string;
  readonly element: XmlElement;
}

/** The styles of a document (ECMA-376 part 1, 17.7). */
export class Styles {
  private readonly styles = new Map<string, Style>();
  private readonly defaults = new Map<string, string>();
  private readonly paragraphs = new Map<string | undefined, ParagraphStyle>();
  private readonly hidden = new Map<string, boolean>();
  private readonly hidesAll: boolean;

  constructor(root: XmlElement | undefined) {
    for (const element of root?.children ?? []) {
      const { 'w:styleId': id, 'w:type': kind = 'paragraph' } = element.attributes;
      if (element.name !== 'w:style' || id === undefined) continue;
      const key = `${kind} ${id}`;
      // Of several with one id the first one keeps it.
      if (this.styles.has(key)) continue;
      this.styles.set(key, { id, name: (valueIn(element, 'w:name') ?? '').toUpperCase(), element });
      if (isTurnedOn(element, 'w:default') && element.attributes['w:default'] !== undefined) {
        this.defaults.set(kind, id);
      }
    }
    const defaults = child(child(root, 'w:docDefaults'), 'w:rPrDefault');
    this.hidesAll = isTurnedOn(child(child(defaults, 'w:rPr'), 'w:vanish')) ?? false;
  }

  /** @param id none: the document's usual style */
  paragraph(id: string | undefined): ParagraphStyle {
    const known = this.paragraphs.get(id) ?? this.readParagraph(id);
    this.paragraphs.set(id, known);
    return known;
  }

  /** Elements that show text of a character style, the outermost first. */
  tagsOf(id: string | undefined): readonly string[] {
    const name = this.find('character', id)?.name ?? '';
    if (CODE.has(name)) return ['code'];
    return name === 'STRONG' ? ['strong'] : [];
  }

  /** The list that a style of lists stands for. */
  listOf(id: string): string | undefined {
    const numbering = this.property('numbering', id, 'w:pPr', 'w:numPr');
    return valueIn(numbering, 'w:numId');
  }

  /**
   * Whether text is hidden by styles. Hiding is a toggle: what the styles of paragraph and character both turn on is
   * off again (17.7.3).
   */
  hides(paragraphStyle: string | undefined, characterStyle: string | undefined): boolean {
    if (this.hidesAll) return true;
    const isOfParagraph = this.isHidden('paragraph', paragraphStyle);
    return isOfParagraph !== this.isHidden('character', characterStyle);
  }

  private isHidden(kind: Kind, id: string | undefined): boolean {
    const key = `${kind} ${id ?? ''}`;
    const known =
      this.hidden.get(key) ?? isTurnedOn(this.property(kind, id, 'w:rPr', 'w:vanish')) ?? false;
    this.hidden.set(key, known);
    return known;
  }

  private readParagraph(id: string | undefined): ParagraphStyle {
    const chain = this.chain('paragraph', id);
    const numberings = chain.map(({ element }) => child(child(element, 'w:pPr'), 'w:numPr'));
    const said = (name: string): string | undefined =>
      numberings.map((one) => valueIn(one, name)).find((value) => value !== undefined);
    const [block, list, level] = [this.blockOf(id), said('w:numId'), toLevel(said('w:ilvl'))];
    return {
      ids: chain.map((style) => style.id),
      ...(block && { block }),
      ...(list !== undefined && { list }),
      ...(level !== undefined && { level }),
      indent: joinIndents(chain.map(({ element }) => indentOf(child(element, 'w:pPr'))).reverse()),
    };
  }

  /** A heading is one by the id or the name of its own style. */
  private blockOf(id: string | undefined): StyledBlock | undefined {
    const name = this.find('paragraph', id)?.name ?? '';
    const level = /^Heading([1-6])$/.exec(id ?? '') ?? /^HEADING ([1-6])$/.exec(name);
    if (level) return `h${level[1]}` as StyledBlock;
    return id === 'Heading' ? 'h1' : BLOCKS.get(name);
  }

  /** Of the style or the nearest one it is based on. */
  private property(
    kind: Kind,
    id: string | undefined,
    group: string,
    name: string,
  ): XmlElement | undefined {
    for (const { element } of this.chain(kind, id)) {
      const found = child(child(element, group), name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A style and those it is based on. */
  private chain(kind: Kind, id: string | undefined): Style[] {
    const chain: Style[] = [];
    let style = this.find(kind, id ?? this.defaults.get(kind));
    while (style !== undefined && chain.length < MAX_BASES && !chain.includes(style)) {
      chain.push(style);
      style = this.find(kind, valueIn(style.element, 'w:basedOn'));
    }
    return chain;
  }

  private find(kind: Kind, id: string | undefined): Style | undefined {
    return id === undefined ? undefined : this.styles.get(`${kind} ${id}`);
  }
}

/** Levels that lists have. */
const MAX_LEVEL = 8;

export function toLevel(value: string | undefined): number | undefined {
  const level = Number(value ?? NaN);
  return level >= 0 && level <= MAX_LEVEL ? Math.trunc(level) : undefined;
}

/** @param properties of a paragraph */
export function indentOf(properties: XmlElement | undefined): Indent {
  const attributes = child(properties, 'w:ind')?.attributes ?? {};
  const start = twips(attributes['w:start'] ?? attributes['w:left']);
  const hanging = twips(attributes['w:hanging']);
  const firstLine = hanging === undefined ? twips(attributes['w:firstLine']) : -hanging;
  return { ...(start !== undefined && { start }), ...(firstLine !== undefined && { firstLine }) };
}

/** Where several say something, the last one counts. */
export const joinIndents = (indents: readonly Indent[]): Indent => Object.assign({}, ...indents);

const UNITS: Readonly<Record<string, number>> = {
  pt: 20,
  pc: 240,
  pi: 240,
  in: 1_440,
  cm: 567,
  mm: 56.7,
};

/** Twentieths of a point unless the strict form names another unit. */
function twips(measure: string | undefined): number | undefined {
  const [, number, unit = ''] =
    /^\s*(-?[\d.]{1,20})(pt|pc|pi|in|cm|mm)?\s*$/.exec(measure ?? '') ?? [];
  const value = Number(number ?? NaN) * (UNITS[unit] ?? 1);
  return Number.isFinite(value) ? value : undefined;
}
