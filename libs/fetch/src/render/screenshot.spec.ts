import type { Rendering } from './rendering.js';
import { takeViewport } from './screenshot.js';

const LOST =
  'page.screenshot: Protocol error (Page.captureScreenshot): Unable to capture screenshot';

describe('a picture of a page', () => {
  /** A page whose pictures end so, one after the other. */
  const renderingOf = (...ends: (string | Uint8Array)[]): Rendering => {
    const screenshot = async () => {
      const end = ends.shift() ?? 'no more pictures';
      if (typeof end === 'string') throw new Error(end);
      return end;
    };
    const deadline = { remainingMs: () => 1_000 };
    const lifeline = { deadline, hold: (work: Promise<unknown>) => work };
    return { page: { screenshot }, lifeline } as unknown as Rendering;
  };
  const PICTURE = Uint8Array.of(1, 2, 3);

  it('is taken again when the browser lost the frame', async () => {
    expect(await takeViewport(renderingOf(LOST, PICTURE))).toEqual(PICTURE);
  });

  it.each([
    ['it is lost again', [LOST, LOST, PICTURE], 'Unable to capture'],
    ['it fails otherwise', ['Target closed', PICTURE], 'Target closed'],
  ])('fails when %s', async (_, ends, message) => {
    await expect(takeViewport(renderingOf(...ends))).rejects.toThrow(message);
  });
});
