/** Bounds of {@link PageShot.viewport}, CSS pixels. The largest one stays below the pixels of one picture. */
const MIN_SHOT_PX = 100;
const MAX_SHOT_WIDTH_PX = 7_680;
const MAX_SHOT_HEIGHT_PX = 4_320;

/** How a scrape pictures its page. */
export interface PageShot {
  /** The whole page, not only the viewport. */
  readonly fullPage: boolean;
  readonly format: 'png' | 'jpeg';
  /** Of a JPEG, 1 to 100. @default that of the screenshot endpoint */
  readonly quality?: number;
  /** @default that of the page */
  readonly viewport?: { readonly widthPx: number; readonly heightPx: number };
}

/** Why a picture cannot be taken as requested, with the name of the field; null: it can. */
export function pageShotProblem({ format, quality, viewport }: PageShot): string | null {
  if (quality !== undefined && format !== 'jpeg') return '`quality` needs the format jpeg';
  if (quality !== undefined && !isWithin(quality, 1, 100)) {
    return '`quality` must be a whole number from 1 to 100';
  }
  if (viewport === undefined) return null;
  if (!isWithin(viewport.widthPx, MIN_SHOT_PX, MAX_SHOT_WIDTH_PX)) {
    return `\`viewport.width\` must be a whole number from ${MIN_SHOT_PX} to ${MAX_SHOT_WIDTH_PX}`;
  }
  return isWithin(viewport.heightPx, MIN_SHOT_PX, MAX_SHOT_HEIGHT_PX)
    ? null
    : `\`viewport.height\` must be a whole number from ${MIN_SHOT_PX} to ${MAX_SHOT_HEIGHT_PX}`;
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
