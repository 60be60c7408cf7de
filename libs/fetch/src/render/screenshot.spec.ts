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
    const lifeline = { deadline, hold: (work: Promise<unknown>) => work, pause: async () => {} };
    return { page: { screenshot }, lifeline } as unknown as Rendering;
  };
  const NONE = { name: 'RenderError', message: 'the browser gave no picture' };
  const PICTURE = Uint8Array.of(1, 2, 3);

  it('is taken again while the browser loses the frame, five times at most', async () => {
    expect(await takeViewport(renderingOf(LOST, LOST, LOST, LOST, PICTURE))).toEqual(PICTURE);
    const lost = renderingOf(LOST, LOST, LOST, LOST, LOST, PICTURE);
    await expect(takeViewport(lost)).rejects.toMatchObject(NONE);
  });

  it('is not taken again when it failed otherwise, which is said without internals', async () => {
    await expect(takeViewport(renderingOf('Target closed', PICTURE))).rejects.toMatchObject(NONE);
  });
});
