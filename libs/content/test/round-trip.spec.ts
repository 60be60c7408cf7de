import fc from 'fast-check';
import { isText, type ChildNode, type Document } from 'domhandler';
import { isUnseen } from '../src/dom/visibility.js';
import { parseHtml } from '../src/dom/parse-html.js';
import { anyInline, anyPage, anyTagSoup } from './any-page.js';
import { markdownToHtml, markdownOf } from './rendered.js';
import { structureOf } from './structure.js';
import { COSTLY_PAGES } from './costly-pages.js';

/** Same pages in every run; few enough for every run of the tests. */
const RUNS = { seed: 20_261_121, numRuns: 150 };

/** Letters and digits of what is seen, in order; the rest may be escaped, moved or folded. */
function wordsOf(html: string): string {
  const seen: string[] = [];
  const gather = (node: Document | ChildNode): void => {
    if (isText(node as ChildNode)) seen.push((node as { data: string }).data);
    if (!('children' in node)) return;
    for (const child of node.children) {
      if (!('attribs' in child) || !isUnseen(child)) gather(child);
    }
  };
  gather(parseHtml(html));
  return seen.join('').replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Definition lists have no GFM: a term is a bold paragraph, a definition one that starts with ": ". */
const asParagraphs = (html: string): string =>
  html
    .replace(/<dd><p>/g, '<dd><p>: ')
    .replace(/<dt>/g, '<p><b>')
    .replace(/<\/dt>/g, '</b></p>')
    .replace(/<\/?d[ld]>/g, '');

describe('HTML to Markdown to HTML', () => {
  it.each([
    ['lines', anyInline],
    ['pages', anyPage],
  ])('keeps the structure of any %s', (_, anyHtml) => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        const before = structureOf(asParagraphs(html), { ignoresDistance: true });
        expect(structureOf(markdownToHtml(markdownOf(html)), { ignoresDistance: true })).toBe(
          before,
        );
      }),
      RUNS,
    );
  });

  it.each([
    ['lines', anyInline],
    ['pages', anyPage],
    ['tag soup', anyTagSoup],
  ])('keeps all visible text of any %s', (_, anyHtml) => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        expect(wordsOf(markdownToHtml(markdownOf(html)))).toBe(wordsOf(html));
      }),
      RUNS,
    );
  });

  it.each([
    ['lines', anyInline],
    ['pages', anyPage],
  ])('gives the same Markdown again for any %s', (_, anyHtml) => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        const markdown = markdownOf(html);
        expect(markdownOf(markdownToHtml(markdown))).toBe(markdown);
      }),
      RUNS,
    );
  });
});

describe('misnested tags', () => {
  // The second column is what the HTML standard's tree construction makes of the first.
  it.each([
    ['<b>1<i>2</b>3</i>', '<b>1<i>2</i></b><i>3</i>'],
    ['<p><b>a<p>b</b>c', '<p><b>a</b></p><p><b>b</b>c</p>'],
    ['<b>a<p>b</b>c</p>d', '<b>a</b><p><b>b</b>c</p>d'],
    ['<a href="/x">a<div>b</a>c</div>', '<a href="/x">a</a><div><a href="/x">b</a>c</div>'],
    ['<a href="/x">a<a href="/y">b</a>', '<a href="/x">a</a><a href="/y">b</a>'],
    ['<i><b>a</i>b</b>', '<i><b>a</b></i><b>b</b>'],
    [
      '<em>a<strong>b<p>c</em>d</strong>',
      '<em>a<strong>b</strong></em><p><strong><em>c</em>d</strong></p>',
    ],
    ['<ul><li><b>a<li>b</b>c</ul>', '<ul><li><b>a</b></li><li><b>b</b>c</li></ul>'],
    ['<h2><b>a</h2>b', '<h2><b>a</b></h2><b>b</b>'],
    ['a</p>b', 'a<p></p>b'],
    ['<b>a</b><b>b</b>', '<b>ab</b>'],
    ['<b>a<b>b</b></b>', '<b>ab</b>'],
    ['<i>a</i><em>b</em> c', '<i>ab</i> c'],
    ['<b>a </b><b> b</b>', '<b>a</b> <b>b</b>'],
  ])('%s is %s', (soup, fixed) => {
    expect(markdownOf(soup)).toBe(markdownOf(fixed));
    expect(wordsOf(soup)).toBe(wordsOf(markdownToHtml(markdownOf(soup))));
  });
});

describe('pages that were costly once', () => {
  it.each(Object.entries(COSTLY_PAGES))('are converted: %s', (_, pageOf) => {
    expect(markdownOf(pageOf(500))).toEqual(expect.any(String));
  });
});
