import { pageShotProblem, type PageShot } from './page-shot.js';

const shot = (over: Partial<PageShot>): PageShot => ({ fullPage: false, format: 'jpeg', ...over });
const viewport = (widthPx: number, heightPx: number): Partial<PageShot> => ({
  viewport: { widthPx, heightPx },
});

describe('the form of a picture', () => {
  it.each<[Partial<PageShot>]>([
    [{}],
    [{ quality: 1 }],
    [{ quality: 100 }],
    [viewport(100, 100)],
    [viewport(7_680, 4_320)],
  ])('may be %j', (over) => {
    expect(pageShotProblem(shot(over))).toBeNull();
  });

  it.each<[Partial<PageShot>, RegExp]>([
    [{ quality: 0 }, /^`quality` must be a whole number from 1 to 100$/],
    [{ quality: 101 }, /^`quality` must be/],
    [{ quality: 1.5 }, /^`quality` must be/],
    [{ quality: 50, format: 'png' }, /^`quality` needs the format jpeg$/],
    [viewport(99, 100), /^`viewport.width` must be a whole number from 100 to 7680$/],
    [viewport(7_681, 100), /^`viewport.width`/],
    [viewport(100, 99), /^`viewport.height` must be a whole number from 100 to 4320$/],
    [viewport(100, 4_321), /^`viewport.height`/],
    [viewport(NaN, 100), /^`viewport.width`/],
  ])('may not be %j', (over, problem) => {
    expect(pageShotProblem(shot(over))).toMatch(problem);
  });
});
