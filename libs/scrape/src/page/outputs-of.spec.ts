import { outputsOf } from './outputs-of.js';

type Requested = Parameters<typeof outputsOf>[0];

describe('the outputs that a task names', () => {
  const wantedBy = (over: Partial<Requested>) =>
    Object.entries(outputsOf({ formats: [], listing: false, ...over }))
      .filter(([, isWanted]) => isWanted !== false)
      .map(([name]) => name);

  it.each<[Partial<Requested>, readonly string[]]>([
    [{}, []],
    [{ formats: ['links', 'product', 'branding'] }, ['branding', 'links', 'product']],
    [{ formats: ['json', 'summary', 'markdown'] }, ['markdown']],
    [{ formats: ['rawHtml'] }, ['rawHtml']],
    [{ includeHtml: true }, ['rawHtml']],
    [{ cleanHtml: true, listing: true, chunks: true }, ['chunks', 'html', 'listing']],
  ])('%j are %j', (over, names) => {
    expect(wantedBy(over).toSorted()).toEqual(names);
  });

  it('have a picture of the first screen, or as the request describes it', () => {
    const pictureOf = (shot?: Requested['shot']) =>
      outputsOf({ formats: ['screenshot'], listing: false, ...(shot ? { shot } : {}) }).screenshot;
    expect(pictureOf()).toEqual({
      ...{ fullPage: false, widthPx: 1_280, mobile: false, element: null, format: 'png' },
    });
    const viewport = { widthPx: 400, heightPx: 300 };
    expect(pictureOf({ fullPage: true, format: 'jpeg', quality: 50, viewport })).toEqual({
      ...{ fullPage: true, widthPx: 400, heightPx: 300, mobile: false, element: null },
      ...{ format: 'jpeg', quality: 50 },
    });
  });
});
