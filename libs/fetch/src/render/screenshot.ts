import type { PageShot, ScreenshotOptions } from '@app/contracts';
import { inPictureTurn } from '../browser/picture-turns.js';
import type { Screenshot } from '../fetch-rung.js';
import { PictureFramer, type PictureFrame } from './page-side/picture-frame.js';
import { RenderError } from './render-error.js';
import { PageScript } from './page-script.js';
import { onOneDocument } from './read-page.js';
import { showWholePage } from './scroll-through.js';
import type { Lifeline } from './lifeline.js';
import type { Rendering } from './rendering.js';

/** Chromium's own limit for one texture: what is below repeats what is above. */
export const MAX_HEIGHT_PX = 16_384;
/** Decoded, this many pixels take 200 MB in the browser. */
const MAX_PIXELS = 50_000_000;
const MAX_PICTURES_MS = 5_000;
const JPEG_QUALITY = 80;
/** A frame that was lost is asked for so often, after 100, 200, 400, 800 ms. */
const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 50;
/** A larger picture waits for its turn. */
const LARGE_PIXELS = 8_000_000;

const gaveNone = (): RenderError => new RenderError('unknown', 'the browser gave no picture');

type PictureOptions = Pick<ScreenshotOptions, 'fullPage' | 'format' | 'quality'> &
  Partial<Pick<ScreenshotOptions, 'element' | 'scroll'>>;

/**
 * A picture of the page, of its first screen, or of one element.
 * @throws RenderError when no element matches, or the page gives no picture in time
 */
export async function takeScreenshot(
  rendering: Rendering,
  options: PictureOptions,
): Promise<Screenshot> {
  const element = options.element ?? null;
  const isWhole = options.fullPage || element !== null;
  if (isWhole && (options.scroll ?? true)) await showWholePage(rendering);
  const frame = await framed(rendering, element);
  const height = Math.min(frame.height, maxHeight(frame));
  const bytes = await capture(rendering, options, isWhole ? { ...frame, height } : null);
  const size = imageSize(bytes);
  if (size === null) throw gaveNone();
  const contentType = options.format === 'png' ? 'image/png' : 'image/jpeg';
  const isClipped = isWhole && height < frame.height;
  return { bytes, contentType, ...size, ...(isClipped ? { isClipped } : {}) };
}

/** The viewport as it is now, as PNG. */
export async function takeViewport(rendering: Rendering): Promise<Uint8Array> {
  return capture(rendering, { format: 'png' }, null);
}

/**
 * A picture between two actions. The page has the requested viewport for it, and the next action finds it as it
 * was before.
 * @throws RenderError when the page gives no picture in time
 */
export async function takeShot(rendering: Rendering, shot: PageShot): Promise<Screenshot> {
  const { page } = rendering;
  const before = page.viewportSize();
  if (shot.viewport === undefined || before === null) return takeScreenshot(rendering, shot);
  const { widthPx: width, heightPx: height } = shot.viewport;
  await resize(rendering, { width, height });
  const screenshot = await takeScreenshot(rendering, shot);
  await resize(rendering, before);
  return screenshot;
}

async function resize(
  { page, lifeline }: Rendering,
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  await lifeline.hold(page.setViewportSize(size), 'the viewport was resized');
}

const clipOf = ({ x, y, width, height }: PictureFrame) => ({ x, y, width, height });

const pixelsOf = ({ width, height, scale }: PictureFrame): number => width * height * scale ** 2;

function maxHeight({ width, scale }: PictureFrame): number {
  const heightPx = Math.min(MAX_HEIGHT_PX, MAX_PIXELS / (width * scale));
  return Math.floor(heightPx / scale);
}

async function framed(rendering: Rendering, selector: string | null): Promise<PictureFrame> {
  const { world, lifeline } = rendering;
  const frame = await onOneDocument(rendering, () => {
    const maxMs = Math.max(0, Math.min(MAX_PICTURES_MS, lifeline.leftMs() / 2));
    return world.run(PageScript.of(PictureFramer, { selector, maxMs }), lifeline.leftMs());
  });
  if (frame === 'no_match') throw noPicture(`No element matches ${JSON.stringify(selector)}`);
  if (frame === 'bad_selector') {
    throw noPicture(`Not a CSS selector: ${JSON.stringify(selector)}`);
  }
  if (frame.width < 1 || frame.height < 1) {
    throw noPicture(`The element ${JSON.stringify(selector)} has no size`);
  }
  return frame;
}

/**
 * By Playwright, not by our own session: to that one the page's emulation is unknown, and a phone's
 * picture would come in single density.
 */
async function capture(
  { page, lifeline }: Rendering,
  { format: type, quality }: Pick<ScreenshotOptions, 'format' | 'quality'>,
  frame: PictureFrame | null,
): Promise<Uint8Array> {
  const take = (): Promise<Uint8Array> =>
    page.screenshot({
      type,
      animations: 'disabled',
      timeout: Math.max(1, lifeline.deadline.remainingMs()),
      ...(type === 'jpeg' ? { quality: quality ?? JPEG_QUALITY } : {}),
      ...(frame ? { clip: clipOf(frame), fullPage: true } : {}),
    });
  const work = (): Promise<Uint8Array> => untilGiven(take, lifeline);
  const isLarge = frame !== null && pixelsOf(frame) > LARGE_PIXELS;
  const given = isLarge ? inPictureTurn(page.context().browser() ?? page, work) : work();
  return new Uint8Array(await lifeline.hold(given, 'the picture was taken'));
}

/**
 * On a busy machine Chromium drops frames that it was to copy, also several in a row; a later one is there. Between two
 * tries it gets time to draw.
 */
async function untilGiven(
  take: () => Promise<Uint8Array>,
  lifeline: Lifeline,
): Promise<Uint8Array> {
  for (let tries = 1; ; tries++) {
    try {
      return await take();
    } catch (error) {
      if (!isFrameLost(error) || tries === MAX_TRIES) throw gaveNone();
      await lifeline.pause(FIRST_PAUSE_MS * 2 ** tries);
    }
  }
}

function isFrameLost(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Unable to capture screenshot');
}

/** The page does not have what the caller named, and no other browser would find it. */
function noPicture(problem: string): RenderError {
  return new RenderError('parse_error', problem, { isWhole: true });
}

interface ImageSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Size of a PNG or JPEG, from its bytes. Null: it is neither. */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength >= 24 && view.getUint32(0) === PNG_SIGNATURE) {
    return { widthPx: view.getUint32(16), heightPx: view.getUint32(20) };
  }
  return view.byteLength > 4 && view.getUint16(0) === JPEG_START ? jpegSize(view) : null;
}

const PNG_SIGNATURE = 0x89504e47;
const JPEG_START = 0xffd8;

/** ITU T.81 annex B: segments of a marker and a length, until a start-of-frame holds the size. */
function jpegSize(view: DataView): ImageSize | null {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { heightPx: view.getUint16(at + 5), widthPx: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}
