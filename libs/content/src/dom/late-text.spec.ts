import { extractPage } from '../extract-page.js';

const TEXT = 'Words of the page that readers came for, in a sentence. '.repeat(30);
const SHORT = 'A menu and a footer.';

function read(html: string) {
  const input = { body: Buffer.from(html), contentType: 'text/html', url: 'https://example.com/' };
  return extractPage(input, { markdown: true, links: false, rawHtml: false });
}

const isShown = (html: string): boolean =>
  read(`<body><p>${SHORT}</p>${html}`).markdown?.includes('readers came for') ?? false;

describe('text that is hidden until scripts run', () => {
  it.each([
    ['a page that fades in', `<div style="opacity:0"><p>${TEXT}</p></div>`],
    ['an application', `<div style="display:none" id="x"><p>${TEXT}</p></div>`],
    ['a part that React streams', `<div hidden id="S:1f"><p>${TEXT.slice(0, 200)}</p></div>`],
    ['what readers without scripts get', `<noscript><p>${TEXT}</p></noscript>`],
  ])('is shown: %s', (_, html) => {
    expect(isShown(html)).toBe(true);
  });

  it('is shown in an article whose text only readers without scripts get, beside a list of others', () => {
    const list = '<li><a href=/x>Another article of this site, with a long title</a>'.repeat(30);
    const article = `<div itemprop=articleBody><script type=text/template>x</script><noscript><p>${TEXT}</p></noscript></div>`;
    expect(isShown(`<ul>${list}</ul>${article}`)).toBe(true);
    expect(isShown(`<ul>${list}</ul>${article.replace('articleBody', 'video')}`)).toBe(false);
  });

  const seen = `<p>${'Text that readers see as well. '.repeat(30)}</p>`;

  it.each([
    ['less than three times what is seen', `${seen}<div style="opacity:0"><p>${TEXT}</p></div>`],
    ['a dialog', `<div role="dialog" style="display:none"><p>${TEXT}</p></div>`],
    ['a cookie notice', `<div class="cookie-consent" hidden><p>${TEXT}</p></div>`],
    ['a short text', `<div hidden><p>${TEXT.slice(0, 300)}</p></div>`],
    ['noscript of a page with text', `${seen}<noscript><p>${TEXT}</p></noscript>`],
    ['a request for scripts', `<noscript>${TEXT.slice(0, 200)}</noscript>`],
    ['many small parts', `<p hidden>${TEXT.slice(0, 300)}</p>`.repeat(20)],
  ])('stays hidden: %s', (_, html) => {
    expect(isShown(html)).toBe(false);
  });

  it('counts as seen, except in noscript: such a page is worth a browser', () => {
    expect(read(`<div style="opacity:0"><p>${TEXT}</p></div>`)).not.toHaveProperty(
      'metadata.hiddenChars',
    );
    expect(read(`<noscript><p>${TEXT}</p></noscript>`).visibleChars).toBe(0);
  });
});
