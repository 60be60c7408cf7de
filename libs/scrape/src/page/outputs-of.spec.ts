import { DEFAULT_FETCH_OPTIONS } from '@app/contracts';
import { outputsOf } from './outputs-of.js';

type Requested = Parameters<typeof outputsOf>[0];

const fetch = DEFAULT_FETCH_OPTIONS;

describe('the outputs that a task names', () => {
  const wantedBy = (over: Partial<Requested>) =>
    Object.entries(outputsOf({ formats: [], listing: false, fetch, ...over }))
      .filter(([, isWanted]) => isWanted !== false)
      .map(([name]) => name);

  it.each<[Partial<Requested>, readonly string[]]>([
    [{}, []],
    [{ formats: ['links', 'product', 'branding'] }, ['branding', 'links', 'product']],
    [{ formats: ['json', 'summary', 'markdown'] }, ['markdown']],
    [{ formats: ['rawHtml'] }, ['rawHtml']],
    [{ includeHtml: true }, ['rawHtml']],
    [{ cleanHtml: true, listing: true, chunks: true }, ['chunks', 'html', 'listing']],
    [{ filePages: true, pageMarkers: true }, ['filePages', 'pageMarkers']],
  ])('%j are %j', (over, names) => {
    expect(wantedBy(over).toSorted()).toEqual(names);
  });

  it('have a picture of the first screen, of the whole page that is scrolled, or as the request describes it', () => {
    const pictureOf = (shot: Requested['shot'] = null, scroll = false) => {
      const task = {
        formats: ['screenshot'],
        listing: false,
        fetch: { ...fetch, scroll },
      } as const;
      return outputsOf({ ...task, shot }).screenshot;
    };
    const screen = { widthPx: 1_280, mobile: false, element: null, format: 'png' };
    expect(pictureOf()).toEqual({ ...screen, fullPage: false });
    expect(pictureOf(null, true)).toEqual({ ...screen, fullPage: true });
    const viewport = { widthPx: 400, heightPx: 300 };
    expect(pictureOf({ fullPage: true, format: 'jpeg', quality: 50, viewport })).toEqual({
      ...{ fullPage: true, widthPx: 400, heightPx: 300, mobile: false, element: null },
      ...{ format: 'jpeg', quality: 50 },
    });
  });
});
