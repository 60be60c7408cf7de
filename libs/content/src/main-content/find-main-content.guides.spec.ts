import { articleWith, mainOf } from './fixtures/article-page.js';

describe('the main content of a guide, a manual or a paper', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'steps of an installation',
      `<ol><li>Download the installer from the site.</li><li>Run it.</li>
       <li>Sign up with your e-mail address.</li><li>Click <a href=x>here</a> to log in.</li></ol>`,
      ['1. Download the', '2. Run it', '3. Sign up with', '4. Click [here]'],
    ],
    [
      'sentences with the words of calls',
      `<p>Subscribe to the observable to get each new value.</p>
       <p>Click here to see the result; the button sends the form.</p>
       <p>To install, <a href=x>download the latest release</a> for your platform, unpack it, and
       put the binary in your PATH.</p><p>Follow our guide step by step.</p><p>Join our two tables by key.</p><p>Newsletters are rows.</p>
       <p>The copyright stays with its author.</p>`,
      [
        'Subscribe to the obs',
        'Click here to',
        'To install',
        'Follow our',
        'Join our',
        'The copyright',
      ],
    ],
    [
      'headings with the words of labels',
      `<h3>Comments</h3><p>They start with a hash.</p><h3>Print</h3><p>It writes a line.</p>
       <h4>Share</h4><p>It copies.</p><h2>Related work</h2><p>Smith did the same.</p>`,
      ['### Comments', '### Print', '#### Share', '## Related work'],
    ],
    [
      'menu items',
      '<ul><li>Print<li>Share<li>Close<li>Save</ul>',
      ['- Print', '- Share', '- Save'],
    ],
    [
      'terms',
      '<dl><dt>next</dt><dd>Goes on.</dd><dt>more<dd>print</dl>',
      ['next', 'more', 'print'],
    ],
    [
      'what introduces a list',
      '<p>Recommended settings:</p><ul><li>size 1</ul>',
      ['Recommended settings'],
    ],
    [
      'all its parts under first-level headings',
      '<h1>How to</h1><p>Why.</p><h1>Install</h1><p>Do it.</p><h1>Use</h1><p>Use it.</p>',
      ['# Install', '# Use'],
    ],
    [
      'links under a heading of their own',
      '<h2>Links</h2><ul><li><a href=/a>Resource one</a><li><a href=/b>Next</a></ul>',
      ['## Links', 'Resource one', 'Next'],
    ],
    [
      'groups of links under a heading',
      '<h2>Links</h2><ul><li>For all<ul><li><a href=/a>Resource one</a></ul></ul>',
      ['## Links', 'For all', 'Resource one'],
    ],
    [
      'downloads',
      `<section><h2>Downloads</h2><p><a href=a.zip>Windows</a></p><ul><li><a href=b.zip>Linux</a>
       <li><a href=c.dmg>Mac</a></ul></section>`,
      ['## Downloads', 'Windows', 'Linux', 'Mac'],
    ],
    [
      'references',
      `<h2>References</h2><ol><li><a href=https://a.org/x>Smith, On ships</a>
       <li><a href=https://b.org/y>Doe, On harbours</a></ol>`,
      ['## References', '1. [Smith', '2. [Doe'],
    ],
    [
      'files without a heading',
      '<p>They are two.</p><ul><li><a href=a.pdf>Map</a><li><a href=b.csv>Data</a></ul>',
      ['Map', 'Data'],
    ],
    [
      'a button under its heading',
      '<h2>Download links</h2><p><a href=/a.zip>Download the tool</a></p>',
      ['## Download links', '[Download the tool]'],
    ],
    [
      'links to other sites of a page that does not name its own',
      '<ul><li><a href=https://a.org/x>Smith</a><li><a href=https://b.org/y>Doe</a></ul>',
      ['Smith', 'Doe'],
    ],
    [
      'links to other sites',
      `<link rel=canonical href=https://www.site.org/a><ul><li><a href=https://a.org/x>Smith</a>
       <li><a href=https://b.org/y>Doe</a></ul>`,
      ['Smith', 'Doe'],
    ],
    [
      'further reading elsewhere',
      `<link rel=canonical href=https://www.site.org/a><h2>Further reading</h2><ul>
       <li><a href=https://a.org/x>Smith</a><li><a href=https://b.org/y>Next</a></ul>`,
      ['## Further reading', 'Smith', 'Next'],
    ],
    ['paragraphs in items', '<ul><li><p>Print</p><li><p>Save</p></ul>', ['- Print', '- Save']],
    [
      'a heading with tags under it',
      '<h2>More</h2><p>So.</p><h2>Setup</h2><div class=tags><a href=a>t</a></div><p>Do it.</p>',
      ['## More', '## Setup'],
    ],
    ['links a sentence announces', '<p>They are:</p><ul><li><a href=a>Map</a></ul>', ['Map']],
    [
      'a link in capitals under its heading',
      '<h2>Source</h2><p><a href=/x>API REFERENCE GUIDE</a></p>',
      ['API REFERENCE GUIDE'],
    ],
  ])('has %s', (_, inner, kept) => {
    const markdown = mainOf(articleWith(inner));
    for (const text of kept) expect(markdown).toContain(text);
  });

  it.each<[string, string]>([
    ['articles', '<h2>Related articles</h2><ul><li><a href=/a>Gone 1</a><li><a href=/b>2</a></ul>'],
    ['an article', '<h3>Related</h3><p><a href=x>Gone</a></p>'],
    ['stories', '<p>More stories:</p><ul><li><a href=/a>Gone</a></ul>'],
    [
      'accounts of the site',
      `<link rel=canonical href=https://site.org/a><ul><li><a href=https://www.facebook.com/x>Gone</a>
       <li><a href=https://twitter.com/x>Gone</a></ul>`,
    ],
    [
      'pages of the same site',
      `<link rel=canonical href=https://site.org/a><ul><li><a href=https://www.site.org/b>Gone</a>
       <li><a href=https://news.site.org/c>Gone</a></ul>`,
    ],
    ['its buttons', '<ul><li><p>Print</p><li><p>Share</p></ul>'],
    ['its newsletter', '<ul><li>Sign up for our newsletter</li><li>Download our app</li></ul>'],
  ])('is without links to %s, nor their heading', (_, inner) => {
    expect(mainOf(articleWith(inner))).toMatch(/^First\. [^\n]*\n\nLast\. [^\n]*\n$/);
  });

  it('is without a title that comes again, by any of its names', () => {
    const names = `<title>Of ships | Site</title><meta property=og:title content="Ships!">
      <script type=application/ld+json>{"headline":"On ships"}</script>`;
    const titles = ['Of ships', 'Ships', 'On Ships'].map((t) => `<h1>${t}</h1><p>So it is.</p>`);
    expect(mainOf(names + articleWith(titles.join('')))).not.toMatch(/^#/m);
  });

  it('has its first heading when the title is above it', () => {
    const html = `<title>Of ships</title><div><h1>Of ships</h1></div>${articleWith('<h1>Sails</h1>')}`;
    expect(mainOf(html)).toMatch(/^First[\s\S]*# Sails\n\nLast/);
  });
});
