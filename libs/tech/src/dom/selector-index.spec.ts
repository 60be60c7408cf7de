import { meantBy } from './fixtures/meant-by.js';
import { parseSelectors } from './selector.js';

const PAGE = `
<div n=1 id=main class="a b"><p n=2 class=a><a n=3 href="https://cdn.vendor.com/x.js?v=1" data-Vendor-Id></a></p>
<section n=4><ul n=5><li n=6><a n=7 href="/local"><li n=8 class="b"></ul></section><br n=9><i n=10 lang="en-US"></i></div>
<a n=11 href="//CDN.vendor.com/"></a>`;

describe('SelectorIndex', () => {
  it.each([
    ['a', ['3', '7', '11']],
    ['#main', ['1']],
    ['.a', ['1', '2']],
    ['.a.b', ['1']],
    ['p.a', ['2']],
    ['*[lang]', ['10']],
    ['[data-vendor-id]', ['3']],
    ['[lang|=en]', ['10']],
    ['[class~="b"]', ['1', '8']],
    ['[class=b]', ['8']],
    ['a[href^="https://cdn.vendor"]', ['3']],
    ["a[href*='vendor.com']", ['3', '11']],
    ["a[href*='cdn.vendor' i]", ['3', '11']],
    ["a[href*='cdn.vendor']", ['3']],
    ["a[href$='?v=1']", ['3']],
    ["a[href*='x']", ['3']],
    ["a[href^='']", []],
    ['div a', ['3', '7']],
    ['div > a', []],
    ['p > a', ['3']],
    ['div > p > a', ['3']],
    ['div section > ul a', ['7']],
    ['section > li', []],
    ['ul ul > li', []],
    ['section section > ul a', []],
    ['div section > ul > li', ['6', '8']],
    ['ul>li', ['6', '8']],
    ['#main .b', ['8']],
    ['br, i', ['9', '10']],
    ['div br + i'.replace(' + i', ''), ['9']],
    ['.none', []],
  ])('%s means %j', (selectors, ids) => {
    expect(meantBy(selectors, PAGE)).toEqual(ids);
  });

  it.each([
    ['an end of nothing that is open', '<div><i></b></i></u><a n=1>'],
    ['an element left open within', '<div><p><i></p><a n=1>'],
    ['elements without content', '<div><br><img><a n=1>'],
  ])('knows where it is after %s', (_, html) => {
    expect(meantBy('div > a', html)).toEqual(['1']);
  });

  it.each([
    'a:hover',
    'a + b',
    'a ~ b',
    'a::before',
    '',
    'a >',
    '> a',
    'a,,b',
    'a,',
    '[',
    '#',
    'a[b=]',
    'x'.repeat(1_001),
  ])('refuses %j', (selector) => {
    expect(() => parseSelectors(selector)).toThrow(/supported|ends|longer/);
  });
});
