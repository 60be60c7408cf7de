import { DEFAULT_CONTENT_OPTIONS, type ContentOptions } from '@app/contracts';
import { extractPage, type PageContent } from '../extract-page.js';
import { selectorProblem } from './selectors.js';

const extract = (html: string, content: Partial<ContentOptions>): PageContent =>
  extractPage(
    { body: Buffer.from(html), contentType: 'text/html', url: 'https://example.com/' },
    {
      markdown: true,
      links: true,
      rawHtml: true,
      allLinks: true,
      content: { ...DEFAULT_CONTENT_OPTIONS, ...content },
    },
  );

const PAGE =
  '<nav><a href=/n>Menu</a></nav><main><h1>Title</h1><p class=lead>Lead <a href=/l>link</a></p>' +
  '<p>Body</p></main><footer>Foot</footer>';

describe('a part of a page', () => {
  it.each<[string, string, Partial<ContentOptions>, string]>([
    [
      'keeps what selectors include',
      PAGE,
      { includeTags: ['.lead', 'h1'] },
      '# Title\n\nLead [link](https://example.com/l)\n',
    ],
    [
      'leaves out what they exclude',
      PAGE,
      { excludeTags: ['nav, footer', 'h1'] },
      'Lead [link](https://example.com/l)\n\nBody\n',
    ],
    [
      'excludes inside what is included',
      PAGE,
      { includeTags: ['main'], excludeTags: ['.lead'] },
      '# Title\n\nBody\n',
    ],
    ['excludes around what is included', PAGE, { includeTags: ['p'], excludeTags: ['main'] }, ''],
    [
      'keeps an element once when it and its child match',
      PAGE,
      { includeTags: ['main', 'p', '*'], excludeTags: ['nav', 'footer', '.lead'] },
      '# Title\n\nBody\n',
    ],
    [
      'keeps inline elements apart',
      '<i>a</i><b>b</b><i>c</i>',
      { includeTags: ['i'] },
      '*a*\n\n*c*\n',
    ],
    [
      'keeps items without their list',
      '<ul><li class=x>a<li>b<li class=x>c</ul>',
      { includeTags: ['.x'] },
      expect.stringMatching(/a[^a]*c/) as unknown as string,
    ],
    [
      'keeps cells without their table',
      '<table><tr><td>a<td class=x>b</table>',
      { includeTags: ['.x'] },
      'b\n',
    ],
    ['is nothing when nothing matches', PAGE, { includeTags: ['.absent'] }, ''],
    ['is nothing when all is excluded', PAGE, { excludeTags: ['*'] }, ''],
    ['passes over unreadable selectors', PAGE, { includeTags: ['h1', ':::'] }, '# Title\n'],
    [
      'keeps hidden things hidden',
      '<div hidden><p class=x>a</p></div><p class=x>b</p>',
      { includeTags: ['div', '.x'] },
      'b\n',
    ],
  ])('%s', (_, html, content, markdown) => {
    expect(extract(html, content).markdown).toEqual(markdown);
  });

  it('has the links of the part beside all links of the page, and the whole source', () => {
    const page = extract(PAGE, { includeTags: ['main'] });
    expect(page.links).toEqual(['https://example.com/l']);
    expect(page.allLinks).toEqual(['https://example.com/n', 'https://example.com/l']);
    expect(page.rawHtml).toBe(PAGE);
    expect(page.visibleChars).toBe(extract(PAGE, {}).visibleChars);
  });

  it.each<[string, string, Partial<ContentOptions>, 'no_match' | undefined]>([
    ['nothing of a page with text', PAGE, { includeTags: ['.absent'] }, 'no_match'],
    ['something', PAGE, { includeTags: ['h1'] }, undefined],
    ['a picture', '<p>a</p><img src=x alt=y>', { includeTags: ['img'] }, undefined],
    ['nothing of a blank page', '<p> </p>', { includeTags: ['.absent'] }, undefined],
    ['all of a blank page', '', {}, undefined],
  ])('that keeps %s says so', (_, html, content, reason) => {
    expect(extract(html, content).partReason).toBe(reason);
  });

  it('cuts inlined images to their description', () => {
    const html =
      '<img alt=cat src="data:image/png;base64,AAAA"><img src="data:image/gif;base64,BB">';
    expect(extract(html, {}).markdown).toBe('![cat](data:image/png;base64,AAAA)\n');
    expect(extract(html, { removeBase64Images: true }).markdown).toBe(
      '![cat](<Base64-Image-Removed>)\n',
    );
  });

  it('stops selectors that would take forever, and reports it', () => {
    const page = extract('<p>x</p>'.repeat(200_000), { excludeTags: [':nth-last-of-type(3n+1)'] });
    expect(page.truncatedBy).toBe('max_selector_steps');
  });
});

describe('a selector', () => {
  it.each([
    'p',
    '.a > b + c ~ d',
    'div:has(> img)',
    '[data-x="1" i]',
    ':not(.a, .b)',
    'h1, h2',
    ':nth-child(2n+1 of .a)',
    '#ÿ',
    '> p',
  ])('%s is one', (text) => expect(selectorProblem(text)).toBeNull());

  it.each([
    ['', /empty/],
    ['   ', /empty/],
    [':::', /not a CSS selector/],
    ['p[', /not a CSS selector/],
    ['p::before', /not a CSS selector/],
    [':unknown', /not a CSS selector/],
    ['p >', /combinator/],
    ['p ~, a', /combinator/],
    [',', /not a CSS selector/],
    ['ns|p', /not a CSS selector/],
    [':has(:has(a))', /more than one :has/],
    ['p'.repeat(201), /longer than 200/],
  ])('%s is none', (text, problem) => {
    expect(selectorProblem(text)).toMatch(problem);
  });
});
