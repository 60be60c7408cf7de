import { child, type XmlElement } from '../files/xml-tree.js';

export type OdfBlock = 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'p' | 'blockquote' | 'pre';

/** Styles of paragraphs by their names, which are English in every language; `_20_` is a space. */
const BLOCKS: ReadonlyMap<string, OdfBlock> = new Map([
  ['title', 'h1'],
  ['subtitle', 'p'],
  ['quotations', 'blockquote'],
  ['preformatted text', 'pre'],
  ['source text', 'pre'],
]);

/** Styles based on each other, one below the other. */
const MAX_BASES = 50;

interface OdfStyle {
  readonly name: string;
  readonly element: XmlElement;
}

/** Styles of an OpenDocument file (OpenDocument 1.3 part 3, 16): those of the file and those made for single texts. */
export class OdfStyles {
  private readonly styles = new Map<string, OdfStyle>();
  private readonly lists = new Map<string, XmlElement>();
  /** What was found once: a style may have a million properties, and a million texts. */
  private readonly found = new Map<string, unknown>();

  /** @param roots of `styles.xml` and `content.xml`; of equal names the last one counts */
  constructor(roots: readonly (XmlElement | undefined)[]) {
    for (const root of roots) {
      for (const group of ['office:styles', 'office:automatic-styles']) {
        for (const element of child(root, group)?.children ?? []) this.add(element);
      }
    }
  }

  private add(element: XmlElement): void {
    const { 'style:name': name, 'style:family': family = '' } = element.attributes;
    if (name === undefined) return;
    if (element.name === 'style:style') this.styles.set(`${family} ${name}`, { name, element });
    if (element.name === 'text:list-style') this.lists.set(name, element);
  }

  /** How a paragraph is shown by the name of its style or one that it is based on. */
  blockOf(style: string | undefined): OdfBlock {
    return this.once(`block ${style ?? ''}`, () => this.findBlock(style));
  }

  private findBlock(style: string | undefined): OdfBlock {
    for (const { name, element } of this.chain('paragraph', style)) {
      const known = element.attributes['style:display-name'] ?? name.replaceAll('_20_', ' ');
      const level = /^heading ([1-6])$/i.exec(known)?.[1];
      if (level !== undefined) return `h${level}` as OdfBlock;
      const block = BLOCKS.get(known.toLowerCase());
      if (block !== undefined) return block;
    }
    return 'p';
  }

  /** Elements that show text of a style, the outermost first. */
  tagsOf(style: string | undefined): readonly string[] {
    return this.once(`tags ${style ?? ''}`, () => this.readTags(style));
  }

  isHidden(family: 'text' | 'paragraph', style: string | undefined): boolean {
    return this.property(family, style, 'text:display') === 'none';
  }

  /** A property of a style's family, as the nearest of its styles has it. */
  property(family: string, style: string | undefined, property: string): string | undefined {
    const key = `${property} ${family} ${style ?? ''}`;
    return this.once(key, () => this.findProperty(family, style, property));
  }

  private findProperty(
    family: string,
    style: string | undefined,
    property: string,
  ): string | undefined {
    for (const { element } of this.chain(family, style)) {
      for (const group of element.children) {
        const value = group.attributes[property];
        if (value !== undefined && group.name.endsWith('-properties')) return value;
      }
    }
    return undefined;
  }

  /** Whether a level of a list, from 1, has numbers. */
  isNumbered(list: string | undefined, level: number): boolean {
    return this.once(`level ${level} ${list ?? ''}`, () => {
      const levels = this.lists.get(list ?? '')?.children ?? [];
      const own = levels.find(({ attributes }) => attributes['text:level'] === String(level));
      const isNumber = own?.name === 'text:list-level-style-number';
      return isNumber && (own.attributes['style:num-format'] ?? '') !== '';
    });
  }

  private once<T>(key: string, find: () => T): T {
    if (this.found.has(key)) return this.found.get(key) as T;
    const value = find();
    this.found.set(key, value);
    return value;
  }

  /** The list that a style of paragraphs belongs to. */
  listOf(style: string | undefined): string | undefined {
    const own = this.chain('paragraph', style).find(
      ({ element }) => (element.attributes['style:list-style-name'] ?? '') !== '',
    );
    return own?.element.attributes['style:list-style-name'];
  }

  private readTags(style: string | undefined): string[] {
    const tags: string[] = [];
    const of = (property: string): string => this.property('text', style, property) ?? '';
    if (/^(?:bold|[6-9]00)$/.test(of('fo:font-weight'))) tags.push('strong');
    if (/^(?:italic|oblique)$/.test(of('fo:font-style'))) tags.push('em');
    if (!/^(?:none)?$/.test(of('style:text-line-through-style'))) tags.push('s');
    const position = of('style:text-position');
    if (/^(?:super|[1-9])/.test(position)) tags.push('sup');
    if (/^(?:sub|-)/.test(position)) tags.push('sub');
    return tags;
  }

  /** A style and those it is based on. */
  private chain(family: string, name: string | undefined): OdfStyle[] {
    const chain: OdfStyle[] = [];
    let style = this.styles.get(`${family} ${name ?? ''}`);
    while (style !== undefined && chain.length < MAX_BASES && !chain.includes(style)) {
      chain.push(style);
      const base = style.element.attributes['style:parent-style-name'];
      style = this.styles.get(`${family} ${base ?? ''}`);
    }
    return chain;
  }
}
