import { readFile } from '../files/read-file.js';
import { PICTURE, tinyPdf } from './fixtures/tiny-pdf.js';
import { renderPdfPages } from './render-pages.js';

jest.mock('@napi-rs/canvas', () => {
  throw new Error("Cannot find module '@napi-rs/canvas'");
});

describe('renderPdfPages without its component', () => {
  const scanned = tinyPdf([{ draw: PICTURE }]);
  const options = { maxPages: 1, maxEdgePx: 100 };

  it('reports that pages cannot be drawn', async () => {
    const drawn = await renderPdfPages(scanned, options);
    expect(drawn).toMatchObject({ ok: false, problem: 'canvas_unavailable' });
  });

  it('leaves a scanned file without text and without pictures', async () => {
    const result = await readFile(scanned, { pictures: options });
    expect(result).toMatchObject({ ok: false, problem: 'no_text' });
    expect(result).not.toHaveProperty('pageImages');
  });
});
