import { DEFAULT_CONTENT_OPTIONS } from '@app/contracts';
import { extractPage } from '../extract-page.js';

const mainOf = (html: string, excludeTags: readonly string[] = []): string =>
  extractPage(
    { body: Buffer.from(html), contentType: 'text/html', url: 'https://example.com/' },
    {
      markdown: true,
      links: false,
      rawHtml: false,
      content: { ...DEFAULT_CONTENT_OPTIONS, onlyMainContent: true, excludeTags },
    },
  ).markdown ?? '';

const TEXT = 'The harbour was quiet that evening and the merchants waited for their ships. '.repeat(
  5,
);
const MENU = '<ul><li><a href=/a>One</a><li><a href=/b>Two</a></ul>';

describe('the main content', () => {
  it.each<[string, string]>([
    [
      'main',
      `<header>Logo</header><nav>Menu</nav><main><p>${TEXT}</p></main><footer>Foot</footer>`,
    ],
    ['role=main', `<div>Menu</div><div role=main><p>${TEXT}</p></div><div class=footer>Foot</div>`],
    ['the article', `<div>Menu</div><article><p>${TEXT}</p></article><div>Foot</div>`],
    ['itemprop=articleBody', `<div>Menu</div><div itemprop=articleBody><p>${TEXT}</p></div>Foot`],
    [
      'the block with most text',
      `<div class=x>${MENU.replace('One', 'Menu')}</div><div><p>${TEXT}</p></div><div>Foot</div>`,
    ],
  ])('is %s', (_, html) => {
    const markdown = mainOf(html);
    expect(markdown).toContain('The harbour');
    expect(markdown).not.toMatch(/Menu|Foot|Logo/);
  });

  it.each([
    'nav',
    'aside',
    'div class=sidebar',
    'div id=cookie-banner',
    'div class="cookieConsent"',
    'div class=share-buttons',
    'section class=related-posts',
    'div id=comments',
    'div role=navigation',
    'div class=newsletter',
  ])('leaves out %s inside it', (tag) => {
    const name = tag.split(' ')[0];
    expect(mainOf(`<main><p>${TEXT}</p><${tag}>Clutter</${name}></main>`)).not.toContain('Clutter');
  });

  it.each([
    'div class=has-sidebar',
    'div class=page-with-nav-content',
    'section id=shared-memory',
    'div class=navigate',
    'p class=menu',
    'header',
    'div class=commentary',
  ])('keeps %s inside it', (tag) => {
    const name = tag.split(' ')[0];
    const html = `<article><p>${TEXT}</p><${tag}>Kept</${name}></article>`;
    expect(mainOf(html)).toContain('Kept');
  });

  it.each<[string, string, string]>([
    ['a page of nothing but clutter', '<nav>Only</nav><footer>this</footer>', 'Only\n\nthis\n'],
    ['a menu that is the page', `<p>Hi</p><div class=menu><p>Soup. ${TEXT}</p></div>`, 'Soup'],
    ['a main that holds a teaser', `<main><p>Hi</p></main><div><p>${TEXT}</p></div>`, 'harbour'],
    ['several articles', `<article><p>A ${TEXT}</article><article><p>B ${TEXT}</article>`, 'B The'],
    ['a short page', '<p>It works!</p>', 'It works!'],
    ['a page of links', `<div>${'<a href=/x>entry of a list</a> '.repeat(40)}</div>`, 'entry'],
    ['text without any element', 'just text', 'just text'],
  ])('never loses %s', (_, html, kept) => {
    expect(mainOf(html)).toContain(kept);
  });

  it('is without what is excluded, even when that leaves nothing', () => {
    expect(mainOf(`<main><p>${TEXT}</p></main>`, ['main'])).toBe('');
    expect(mainOf('', [])).toBe('');
  });

  it('takes time linear in the page', () => {
    const cpuMs = (count: number): number => {
      const html = `<div class="a b">${'<article><div class=x><p>word'.repeat(count)}`;
      const before = process.cpuUsage();
      mainOf(html);
      const used = process.cpuUsage(before);
      return (used.user + used.system) / 1000;
    };
    // The best of three: a collection of garbage may fall into any one run.
    const bestMs = (count: number): number => Math.min(cpuMs(count), cpuMs(count), cpuMs(count));
    expect(bestMs(40_000)).toBeLessThan(10 * Math.max(bestMs(10_000), 20));
  });
});
