import type { DeclaredUse } from './declared-use.js';
import { pageUse } from './page-use.js';

const URL_TEXT = 'https://a.example/docs/page';

describe('what is declared about a page', () => {
  const reserved = (source: 'meta' | 'tdmrep.json'): DeclaredUse => ({
    aiInput: false,
    aiTrain: false,
    sources: [source],
  });
  const use = (over: Partial<Parameters<typeof pageUse>[0]>): DeclaredUse | undefined =>
    pageUse({
      ...{ site: undefined, tdmFile: undefined, meta: undefined, headers: {}, url: URL_TEXT },
      ...over,
    });

  it.each<[string, Readonly<Record<string, string>>, DeclaredUse | undefined]>([
    [
      'Content-Signal',
      { 'content-signal': 'ai-train=yes, search=yes, ai-input=no' },
      { search: true, aiInput: false, aiTrain: true, sources: ['header'] },
    ],
    ['Content-Usage', { 'content-usage': 'train-ai=n' }, { aiTrain: false, sources: ['header'] }],
    [
      'both, which disagree',
      { 'content-signal': 'ai-train=yes', 'content-usage': 'train-ai=n' },
      { aiTrain: false, sources: ['header'] },
    ],
    [
      'TDMRep with its policy',
      { 'tdm-reservation': '1', 'tdm-policy': 'https://p.example/' },
      { aiInput: false, aiTrain: false, tdmPolicy: 'https://p.example/', sources: ['header'] },
    ],
    [
      'an RSL licence among other links',
      {
        link: '</style.css>; rel=preload, <https://cc.example/>; rel="license", </rsl.xml>; rel="license"; type="application/rsl+xml"',
      },
      { license: 'https://a.example/rsl.xml', sources: ['header'] },
    ],
    ['nothing', { 'x-robots-tag': 'noai' }, undefined],
  ])('is read from headers: %s', (_, headers, declared) => {
    expect(use({ headers })).toEqual(declared);
  });

  it('takes of TDMRep what is closest to the page', () => {
    const headers = { 'tdm-reservation': '0' };
    const tdmFile = reserved('tdmrep.json');
    expect(use({ tdmFile })).toEqual(tdmFile);
    expect(use({ tdmFile, headers })).toMatchObject({ aiTrain: true, sources: ['header'] });
    expect(use({ tdmFile, headers, meta: reserved('meta') })).toEqual(reserved('meta'));
  });

  it('keeps a reservation of the headers beside a licence of the page', () => {
    const meta: DeclaredUse = { license: 'https://a.example/rsl.xml', sources: ['meta'] };
    expect(use({ meta, headers: { 'tdm-reservation': '1' } })).toEqual({
      ...{ aiInput: false, aiTrain: false, license: 'https://a.example/rsl.xml' },
      sources: ['meta', 'header'],
    });
  });

  it('is no freer than its site', () => {
    const site: DeclaredUse = { aiTrain: false, sources: ['robots.txt'] };
    expect(use({ site, headers: { 'content-signal': 'ai-train=yes' } })).toEqual({
      aiTrain: false,
      sources: ['header', 'robots.txt'],
    });
  });
});
