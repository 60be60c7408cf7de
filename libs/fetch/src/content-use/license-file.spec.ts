import type { DeclaredUse } from '@app/uses';
import { LicenseFile } from './license-file.js';

const TERMS = 'https://a.example/rsl.xml';
const rsl = (contents: string): string =>
  `<?xml version="1.0"?><rsl xmlns="https://rslstandard.org/rsl">${contents}</rsl>`;
const content = (license: string, attributes = 'url="/"'): string =>
  rsl(`<content ${attributes}><license>${license}</license></content>`);

/** The uses of a page without where they are declared; null: nothing is. */
function usesOf(text: string, url = 'https://a.example/page') {
  const use = new LicenseFile(text, TERMS).declaredUse(new URL(url));
  if (use === undefined) return null;
  const { sources, license, ...uses } = use;
  expect([sources, license]).toEqual([['rsl'], TERMS]);
  return uses;
}

type Uses = Pick<DeclaredUse, 'search' | 'aiInput' | 'aiTrain'>;
const ALL_REFUSED = { search: false, aiInput: false, aiTrain: false };

describe('the licence of a page', () => {
  it.each<[string, string, Uses]>([
    ['prohibits everything', content('<prohibits type="usage">all</prohibits>'), ALL_REFUSED],
    ['permits search alone', content('<permits type="usage">search</permits>'), { ...ALL_REFUSED, search: true }],
    ['permits search, and prohibits AI', content('<permits type="usage">search</permits><prohibits type="usage">ai-all</prohibits>'), { ...ALL_REFUSED, search: true }],
    ['permits two uses', content('<permits type="usage"> search \n ai-input </permits>'), { search: true, aiInput: true, aiTrain: false }],
    ['permits two uses, as drafts write them', content('<permits type="usage">search,train-ai</permits>'), { search: true, aiInput: false, aiTrain: true }],
    ['prohibits what it permits', content('<permits type="usage">all</permits><prohibits type="usage">ai-train</prohibits>'), { search: true, aiInput: true, aiTrain: false }],
    ['only prohibits one use', content('<prohibits type="usage">ai-train</prohibits>'), { aiTrain: false }],
    ['asks for attribution', content('<permits type="usage">all</permits><payment type="attribution"><standard>https://cc.example/by</standard></payment>'), { search: true, aiInput: true, aiTrain: true }],
    ['is free by an empty payment', content('<permits type="usage">ai-train</permits><payment/>'), { ...ALL_REFUSED, aiTrain: true }],
    ['asks for money', content('<permits type="usage">ai-all</permits><payment type="subscription"><amount currency="USD">9</amount></payment>'), ALL_REFUSED],
    ['asks for money without a type', content('<permits type="usage">ai-all</permits><payment><amount currency="USD">9</amount></payment>'), ALL_REFUSED],
    ['names a standard licence to be bought', content('<permits type="usage">ai-all</permits><payment><standard>https://rslcollective.org/license</standard></payment>'), ALL_REFUSED],
    ['asks for money for any use', content('<payment type="crawl"><amount>1</amount></payment>'), ALL_REFUSED],
    ['is issued by a server', content('<permits type="usage">ai-train</permits>', 'url="/" server="https://l.example"'), ALL_REFUSED],
    ['is for some users', content('<permits type="usage">ai-train search</permits><permits type="user">non-commercial</permits>'), { aiInput: false }],
    ['is for some countries', content('<permits type="usage">ai-train</permits><prohibits type="geo">EU</prohibits>'), { search: false, aiInput: false }],
    ['says nothing', content(''), {}],
    ['names tokens that nobody knows', content('<prohibits type="usage">ai-index toast</prohibits>'), {}],
  ])('that %s', (_, text, uses) => {
    expect(usesOf(text)).toEqual(uses);
  }); // prettier-ignore

  it('is one of several offers', () => {
    const paid =
      '<license><permits type="usage">ai-train</permits><payment type="purchase"/></license>';
    const free = '<license><permits type="usage">ai-train search</permits></license>';
    const banned = '<license><prohibits type="usage">search</prohibits></license>';
    const of = (...licenses: string[]) =>
      usesOf(rsl(`<content url="/">${licenses.join('')}</content>`));
    expect(of(paid, free)).toMatchObject({ aiTrain: true, search: true });
    expect(of(free, paid)).toEqual(of(paid, free));
    expect(of(free, banned)).toMatchObject({ aiTrain: true, search: false });
  });

  const PARTS = rsl(
    ['/', '/premium/*', 'https://a.example/open/', 'https://b.example/*', '/p/*.pdf$']
      .map((url, n) => {
        const license = n % 2 === 0 ? '<permits type="usage">search</permits>' : '<prohibits type="usage">all</prohibits>'; // prettier-ignore
        return `<content url="${url}"><license>${license}</license></content>`;
      })
      .join(''),
  );
  it.each([
    ['https://a.example/', true],
    ['https://a.example/premium/x', false],
    ['https://a.example/open/x', true],
    ['https://b.example/premium', false],
    ['https://b.example/p/x.pdf', true],
    ['https://b.example/p/x.pdf?x', false],
  ])('is that of the most specific content: %s', (url, isAllowed) => {
    expect(usesOf(PARTS, url)?.search).toBe(isAllowed);
  });

  it('is that of all pages that name it, if it has no URL', () => {
    const text = content('<prohibits type="usage">all</prohibits>', 'url=""');
    expect(usesOf(text, 'https://c.example/x')).toEqual(ALL_REFUSED);
  });

  it('is read from elements of RSL in a feed, and from no others', () => {
    const text = `<rss xmlns:rsl="https://rslstandard.org/rsl"><channel><item><content url="/"><license><permits type="usage">all</permits></license></content>
      <rsl:content url="/"><rsl:license><rsl:prohibits type="usage">all</rsl:prohibits></rsl:license></rsl:content></item></channel></rss>`;
    expect(usesOf(text)).toEqual(ALL_REFUSED);
  });

  it.each([
    ['nothing', ''],
    ['a page', '<!doctype html><html><body><content url="/"><license><prohibits type="usage">all</prohibits></license></content></body></html>'],
    ['no XML', 'All rights reserved'],
    ['cut', '<rsl><content url="/"><license><prohibits type="us'],
    ['a bomb of entities', `<!DOCTYPE rsl [<!ENTITY a "all"><!ENTITY b "${'&a;'.repeat(999)}">]><rsl><content url="/">&b;</content></rsl>`],
    ['of elements without contents', '<rsl><license><prohibits type="usage">all</prohibits></license></rsl>'],
  ])('that is %s has no terms', (_, text) => {
    expect(usesOf(text) ?? {}).toEqual({});
  }); // prettier-ignore

  it('does not define entities', () => {
    const text = `<!DOCTYPE rsl [<!ENTITY use "ai-train">]>${content('<prohibits type="usage">&use; search</prohibits>')}`;
    expect(usesOf(text)).toEqual({ search: false });
  });

  it.each([
    [1_000, false],
    [1_001, undefined],
  ])('is looked for among a thousand contents: the last of %i', (count, search) => {
    const license = '<license><prohibits type="usage">all</prohibits></license>';
    const contents = Array.from(
      { length: count },
      (_, n) => `<content url="/${n}$">${license}</content>`,
    );
    const last = `https://a.example/${count - 1}`;
    expect(usesOf(rsl(contents.join('')), last)?.search).toBe(search);
  });
});
