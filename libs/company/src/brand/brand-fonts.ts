import type { Element } from 'domhandler';
import { familiesOf, isOwnFont, plainName, type PageStyles } from '@app/content';
import type { SeenElement } from './visible-elements.js';

export interface UsedFonts {
  /** By the text that is written in them, most first. */
  readonly fonts: readonly string[];
  /** Address of the sheet that sets the first; null: the page itself. */
  readonly origin: string | null;
}

interface Font {
  /** Null: the machine's own, or one of pictures. */
  readonly family: string | null;
  readonly origin: string | null;
}

const NO_FONT: Font = { family: null, origin: null };
const MAX_FONTS = 10;
/** A heading is seen before the text below it. */
const HEADING_WEIGHT = 3;
const HEADING = /^h[1-6]$/;
/** Written in a fixed-width font for what they hold, not for how the brand looks. */
const CODE = new Set(['code', 'pre', 'kbd', 'samp', 'tt']);

/**
 * The families that the page's text is set in: of each list the first, which is the one that was
 * chosen. A list that begins with the machine's own font (`system-ui`) chooses none; families that
 * are only declared, or only used for pictures, are left out.
 */
export function usedFonts(seen: readonly SeenElement[], styles: PageStyles): UsedFonts {
  const counter = new FontCounter(styles);
  for (const one of seen) counter.add(one);
  return counter.used();
}

class FontCounter {
  private readonly fonts = new Map<Element, Font>();
  private readonly chars = new Map<string, { font: Font; chars: number }>();

  constructor(private readonly styles: PageStyles) {
    // The source may lack either element: style that is for them is inherited all the same.
    const root = this.ownFont(styles.html) ?? NO_FONT;
    this.fonts.set(styles.html, root);
    this.fonts.set(styles.body, this.ownFont(styles.body) ?? root);
  }

  add({ element, textChars }: SeenElement): void {
    const font = this.fonts.get(element) ?? this.ownFont(element) ?? this.inherited(element);
    this.fonts.set(element, font);
    if (textChars === 0 || font.family === null || CODE.has(element.name)) return;
    const key = font.family.toLowerCase();
    const known = this.chars.get(key) ?? { font, chars: 0 };
    const chars = textChars * (HEADING.test(element.name) ? HEADING_WEIGHT : 1);
    this.chars.set(key, { ...known, chars: known.chars + chars });
  }

  used(): UsedFonts {
    const ranked = [...this.chars.values()].sort((one, other) => other.chars - one.chars);
    const fonts = ranked.slice(0, MAX_FONTS).flatMap(({ font }) => font.family ?? []);
    return { fonts, origin: ranked[0]?.font.origin ?? null };
  }

  private inherited({ parent }: Element): Font {
    const known = parent === null ? undefined : this.fonts.get(parent as Element);
    return known ?? this.fonts.get(this.styles.body) ?? NO_FONT;
  }

  private ownFont(element: Element): Font | undefined {
    const [first] = familiesOf(this.styles.own(element, 'font-family') ?? '');
    if (first === undefined) return undefined;
    const name = plainName(first);
    const family = isOwnFont(name) ? name : null;
    return { family, origin: this.styles.originOf(element, 'font-family') };
  }
}
