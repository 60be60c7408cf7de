import type { PDFPageProxy } from 'pdfjs-dist';
import { type FontStyle, fontStyleOf, PLAIN_FONT } from './font-style.js';

interface TextStyle {
  readonly fontFamily?: string;
}

/** All characters of these scripts are equally wide: that is no sign of code. */
const EAST_ASIAN =
  /cjk|minch|mincho|gothic|ming|song|sung|hei|kai|ipa|ryumin|takao|wqy|wenquan|fang|batang|dotum|gulim|myeong|nanum/i;

/** Pages drawn only to learn their fonts' names; later fonts are plain. */
const MAX_LESSONS = 200;

/** Fonts of a document by the names pdf.js gives them. */
export class FontBook {
  private readonly styles = new Map<string, FontStyle>();
  private lessons = 0;

  /**
   * A font's real name comes with the orders to draw a page, not with its text; so a page is
   * prepared for drawing, but only when it brings a font not seen before.
   */
  async learn(page: PDFPageProxy, styles: Readonly<Record<string, TextStyle>>): Promise<void> {
    const unknown = Object.keys(styles).filter((name) => !this.styles.has(name));
    if (unknown.length === 0) return;
    const isDrawn = this.lessons++ < MAX_LESSONS && (await prepareDrawing(page));
    for (const name of unknown) {
      const known = isDrawn ? nameOf(page, name) : undefined;
      const style = known === undefined ? PLAIN_FONT : fontStyleOf(known);
      const isFixed = styles[name]?.fontFamily === 'monospace' && !EAST_ASIAN.test(known ?? '');
      this.styles.set(name, { ...style, isMono: style.isMono || isFixed });
    }
  }

  styleOf(name: string): FontStyle {
    return this.styles.get(name) ?? PLAIN_FONT;
  }
}

async function prepareDrawing(page: PDFPageProxy): Promise<boolean> {
  try {
    await page.getOperatorList();
    return true;
  } catch {
    // Broken drawing orders leave the fonts plain; the text was read without them.
    return false;
  }
}

function nameOf(page: PDFPageProxy, name: string): string | undefined {
  if (!page.commonObjs.has(name)) return undefined;
  const font: unknown = page.commonObjs.get(name);
  if (typeof font !== 'object' || font === null || !('name' in font)) return undefined;
  return typeof font.name === 'string' ? font.name : undefined;
}
