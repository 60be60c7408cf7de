import {
  articleWith,
  ARTICLE_META,
  jsonLdPage,
  mainOf,
  MENU,
  TEXT,
} from './fixtures/article-page.js';

describe('a recipe', () => {
  const ingredients = ['125 g flour', '65 g sugar', '1 tsp baking powder', '500 ml milk'];
  const recipe = `<script type="application/ld+json">${JSON.stringify({ '@type': 'Recipe', recipeIngredient: ingredients })}</script>`;
  const rows = ingredients.map((one) => `<tr><td>${one.replace(/ (?=[a-z]+$)/, '<td>')}`).join('');
  const list = `<section class=x><h2>Ingredients</h2><table>${rows}</table></section>`;
  const steps = `<article class=steps><p>${TEXT}</p></article>`;

  it.each([
    ['before', list + steps],
    ['after', steps + list],
  ])('has its ingredients, also in a part %s the text', (_, html) => {
    const markdown = mainOf(`${recipe}<nav>Menu</nav>${html}<footer>Foot</footer>`);
    expect(markdown).toMatch(/65 g.{0,9}sugar/);
    expect(markdown).toContain('The harbour');
    expect(markdown).not.toMatch(/Menu|Foot/);
  });

  it('has no part of the page in which only some words of them are', () => {
    const other = `<section class=x><p>flour</p><p>sugar</p><p>Offers of the week, and more offers of the week</p></section>`;
    expect(mainOf(`${recipe}${steps}${other}`)).not.toContain('sugar');
  });
});

describe('the main content', () => {
  it.each<[string, string]>([
    [
      'main',
      `<header>Logo</header><nav>Menu</nav><main><p>${TEXT}</p></main><footer>Foot</footer>`,
    ],
    ['role=main', `<div>Menu</div><div role=main><p>${TEXT}</p></div><div class=footer>Foot</div>`],
    ['the article', `<div>Menu</div><article><p>${TEXT}</p></article><div>Foot</div>`],
    [
      'a text that can be shared',
      `<div>Menu</div><div class="entry share"><p>${TEXT}</p></div><div>Foot</div>`,
    ],
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
    'div class=widget-area',
    'div class="layout sidebar-with-ads"',
  ])('leaves out %s inside it', (tag) => {
    const name = tag.split(' ')[0];
    expect(mainOf(`<main><p>${TEXT}</p><${tag}>Clutter</${name}></main>`)).not.toContain('Clutter');
  });

  it.each([
    'div class=has-sidebar',
    'div class=page-with-nav-content',
    'div class="main main-with-sidebar"',
    'section id=shared-memory',
    'div class=navigate',
    'p class=menu',
    'header',
    'div class=commentary',
    'div class=elementor-widget',
    'aside class="admonition note"',
    'div class="post tag-newsletter category-advertising"',
    'time',
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
    [
      'an article in captions',
      articleWith('').replaceAll('<p>', '<p class=caption>'),
      'First. The',
    ],
    ['an article of one heading', `${ARTICLE_META}<h1>Only a title</h1>`, 'Only a title'],
  ])('never loses %s', (_, html, kept) => {
    expect(mainOf(html)).toContain(kept);
  });

  it('is without what is excluded, even when that leaves nothing', () => {
    expect(mainOf(`<main><p>${TEXT}</p></main>`, ['main'])).toBe('');
    expect(mainOf(articleWith('<p class=x>Excluded'), ['.x'])).not.toContain('Excluded');
    expect(mainOf('', [])).toBe('');
  });
});

describe('the only main heading of a page', () => {
  const text = `<article><p>${TEXT}</p></article>`;
  it.each<[string, string]>([
    ['above the text', `<h1>The title</h1>${text}`],
    ['in a header of the site', `<header class=site-header><h1>The title</h1></header>${text}`],
    [
      'in a header of the article',
      `<article><header><h1>The title</h1><p class=byline>By Gone</p></header><p>${TEXT}</p></article>`,
    ],
    ['below the text', `${text}<div class=hero><h1>The title</h1></div>`],
  ])('comes first: %s', (_, html) => {
    const markdown = mainOf(`${ARTICLE_META}${html}`);
    expect(markdown).toMatch(/^# The title\n\n.*The harbour/);
    expect(markdown).not.toContain('Gone');
  });

  it('stays where it is in the text', () => {
    expect(mainOf(articleWith('<h1>The title</h1>'))).toMatch(
      /^First\.[^]*\n\n# The title\n\nLast\./,
    );
  });

  it.each<[string, string]>([
    [
      'the name of the site',
      `<meta property=og:site_name content="The Title"><h1>The title</h1>${text}`,
    ],
    ['one of several', `<h1>The title</h1><h1>The title</h1>${text}`],
    ['hidden', `<h1 hidden>The title</h1>${text}`],
    ['only a picture', `<h1><img src=logo.png alt="The title"></h1>${text}`],
  ])('is left out: %s', (_, html) => {
    expect(mainOf(`${ARTICLE_META}${html}`)).not.toContain('The title');
  });

  it('is left out where it is excluded', () => {
    expect(mainOf(`<h1>The title</h1>${text}`, ['h1'])).not.toContain('The title');
  });
});

describe('the main content of an article', () => {
  it.each<[string, string]>([
    ['its header', '<header><p>Gone</p></header>'],
    ['a byline', '<div class=byline>By Gone</div>'],
    ['a date', '<p class="entry-meta"><time>Gone</time></p>'],
    ['a caption', '<figure><img src=a alt=b><figcaption>Gone</figcaption></figure>'],
    ['a caption without a name', '<figure><a><img src=a></a><span>Gone</span></figure>'],
    ['a credit', '<div class=image-credit>Gone</div>'],
    ['a text for screen readers', '<span class=sr-only>Gone</span>'],
    ['tags', '<ul class=post-tags><li>Gone</ul>'],
    [
      'a biography',
      '<div class=author-bio><p>Gone writes about ships, and has done so for years.</div>',
    ],
    ['an overlay in a sentence', `<p>${TEXT}<span class=rollover-people-block>Gone</span></p>`],
    ['links to others', '<ul><li><a href=a>Gone one</a><li><a href=b>Gone two</a></ul>'],
    ['a pointer', '<p>READ MORE: <a href=a>Gone and lost</a></p>'],
    ['a pointer in another language', '<p>Lire aussi <a href=a>Gone and lost</a></p>'],
    ['links after a pointer', '<p>See also:</p><p><a href=a>Gone</a></p><p><a href=b>Gone</a></p>'],
    ['a shouted link', '<p><a href=a>GONE IS THE OTHER STORY</a></p>'],
    ['a label', '<p>Advertisement</p>'],
    ['a call', '<p>Gone? <a href=a>Sign up</a> for our newsletter</p>'],
    ['a heading of what is gone', '<h2>Gone</h2><div class=related-posts>Other</div><h2>Then</h2>'],
    ['comments', `<div class=comments><p>Gone. ${TEXT}</div>`],
  ])('is without %s', (_, inner) => {
    const markdown = mainOf(articleWith(inner));
    expect(markdown).toMatch(/^First\. The[\s\S]*Last\. The/);
    expect(markdown).not.toMatch(/Gone|GONE|Advertisement/);
  });

  it.each<[string, string]>([
    ['headings', '<h2>Kept</h2>'],
    ['a heading above loose text', `</div><div><h2>Kept</h2>${TEXT}<ul><li><a>x</a></ul>`],
    ['lists', '<ul><li>Kept<li><a href=a>link</a> and more text about what is there</ul>'],
    ['tables', '<table class=rating><tr><td>Kept<td>1</table>'],
    ['quotations', '<blockquote class=tweet-author>Kept</blockquote>'],
    ['code', '<pre class=meta>Kept</pre>'],
    ['tables in figures', '<figure><table><tr><td>Kept<td>1</table></figure>'],
    ['a paragraph about newsletters', `<p>Kept: a newsletter is sent. ${TEXT}</p>`],
    ['a link alone', '<p><a href=a>Kept as a sentence of its own</a></p>'],
    ['named words in a sentence', `<p>It was <a class=tag href=a>Kept</a>. ${TEXT}</p>`],
    ['the same text twice', '<p>Kept</p><p>Kept</p>'],
    ['pictures', '<figure><img src=a alt=Kept><figcaption>caption</figcaption></figure>'],
  ])('has %s', (_, inner) => {
    expect(mainOf(articleWith(inner))).toContain('Kept');
  });

  it('is all parts of a text that is cut into sections', () => {
    const sections = [1, 2, 3, 4].map((n) => `<section><div><p>Part ${n}. ${TEXT}</div></section>`);
    const html = `${ARTICLE_META}<div class=top>Top</div><div>${sections.join('<hr>')}</div>`;
    expect(mainOf(html).match(/Part \d/g)).toEqual(['Part 1', 'Part 2', 'Part 3', 'Part 4']);
  });

  it('is not the teasers below it, however much text they have', () => {
    const teaser = `<li><h3><a href=x>Other</a></h3><div><p>Teaser. ${TEXT}</div></li>`;
    const html = `<main><article><div class=article-body><p>${TEXT}<p>${TEXT}</div></article></main>`;
    const markdown = mainOf(`${ARTICLE_META}${html}<div><ul>${teaser.repeat(4)}</ul></div>`);
    expect(markdown).toContain('The harbour');
    expect(markdown).not.toContain('Teaser');
  });

  it('is not a long notice in a window over it', () => {
    const notice = `<div class="modal-window rules"><p>Rules. ${TEXT.repeat(2)}</div>`;
    expect(mainOf(articleWith('') + notice)).not.toContain('Rules');
  });

  it('is found by names where the page does not say what it is', () => {
    const text = `<div class=entry-content><div class=byline>By Gone</div><p>${TEXT}<p>${TEXT}</div>`;
    const markdown = mainOf(
      `<div class=logo>Site</div><div id=wrap>${text}</div><div>Imprint</div>`,
    );
    expect(markdown).toMatch(/^The harbour/);
    expect(markdown).not.toMatch(/Gone|Imprint/);
  });

  it('is where the text is that JSON-LD gives', () => {
    const paragraphs = ['One', 'Two', 'Three'].map((n) => `${n} of the story. ${TEXT}`);
    const shown = paragraphs.map((text) => `<p>${text}</p>`).join('');
    const other = `<div class=article-body><p>Other. ${'A dog barked at the cats, and ran away. '.repeat(90)}</div>`;
    const html = `${other}<div>${shown}<p>An afterword, said by nobody.</div>`;
    const page = jsonLdPage(paragraphs.join('\n')).split('<div>')[0];
    expect(mainOf(`${page}${html}`)).toMatch(/^One of[^#]*Two of[^#]*Three of/);
    expect(mainOf(`${page}${html}`)).not.toMatch(/Other|afterword/);
  });

  it.each([
    ['is no JSON', '<script type=application/ld+json>{"@type":"Article","articleBody":</script>'],
    ['is a teaser', jsonLdPage('The harbour was quiet').split('<div>')[0] ?? ''],
    ['is about another page', jsonLdPage('A dog. '.repeat(80)).split('<div>')[0] ?? ''],
  ])('is found all the same where JSON-LD %s', (_, script) => {
    expect(mainOf(`${script}${articleWith('')}`)).toMatch(/^First\.[\s\S]*Last\./);
  });
});

describe('the main content of other pages', () => {
  it.each<[string, string, RegExp, RegExp]>([
    [
      'documentation',
      `<nav>Guides</nav><main><h1>Install</h1><p>${TEXT}</p><aside class=tip>Use a lock.</aside>
       <figure><pre>npm i</pre><figcaption>shell</figcaption></figure><h2>See also</h2>
       <ul><li><a href=a>Upgrade</a><li><a href=b>Configure</a></ul></main><footer>Foot</footer>`,
      /# Install[\s\S]*Use a lock[\s\S]*npm i[\s\S]*shell[\s\S]*See also[\s\S]*Upgrade/,
      /Guides|Foot/,
    ],
    [
      'a product',
      `<header>Shop</header><main><h1>Lamp</h1><div class=price>49 €</div><table><tr><td>Watt<td>9
       </table><div class=rating>4.5</div><p>${TEXT}</p></main><div class=cookie-bar>OK?</div>`,
      /# Lamp[\s\S]*49 €[\s\S]*Watt[\s\S]*4\.5[\s\S]*harbour/,
      /Shop|OK\?/,
    ],
    [
      'a listing',
      `<div class=topnav>${MENU}</div><div id=results>${[1, 2, 3, 4, 5, 6]
        .map((n) => `<div class=card><a href=/${n}>Place ${n} in the old town</a> ${n} km</div>`)
        .join('')}</div><footer>Foot</footer>`,
      /Place 1[\s\S]*Place 6/,
      /Foot|Two/,
    ],
    [
      'a list of articles that says it is one',
      `${ARTICLE_META}<nav>Menu</nav><main><div class=entry-content><p>About. ${TEXT}</div>
       ${[1, 2, 3, 4, 5, 6].map((n) => `<article><h2>Story ${n}</h2><p>${TEXT}</article>`).join('')}</main>`,
      /About[\s\S]*(?:## Story[\s\S]*){6}/,
      /Menu/,
    ],
    [
      'a forum',
      `<script type=application/ld+json>{"@type":"DiscussionForumPosting"}</script>
       <main><div class=comment><p>Question. ${TEXT}</div><div class=comments><p>Answer. ${TEXT}</div>
       </main><div class=sidebar>Hot</div>`,
      /Question[\s\S]*Answer/,
      /Hot/,
    ],
    [
      'a forum that does not say so',
      `<header>Board</header><ol class=commentlist>${`<li><p>Post. ${TEXT}`.repeat(5)}</ol>`,
      /Post[\s\S]*Post/,
      /Board/,
    ],
    [
      'a manual page with one big block',
      `<body><div class=section><div class=header><p>Next: <a href=t>Types</a>, Previous:
       <a href=b>The Basics</a>, Up: <a href=u>Using it</a></p></div><h3>2.2 Simple Example</h3><p>Here is an example.</p>
       <div class=example><pre>${'int main() { return puts("Hello"); }\n'.repeat(9)}</pre></div></div>`,
      /### 2\.2 Simple Example\n\nHere is an example[\s\S]*int main/,
      /Types/,
    ],
    [
      'an introduction before one big block',
      `<body><div><p>This page tells how ships are built, and by whom, in a few words.</p>
       <div><pre>${'keel 1\n'.repeat(99)}</pre></div></div>`,
      /This page[\s\S]*keel/,
      /Gone/,
    ],
    [
      'a home page',
      `<header>Logo</header><nav>Menu</nav><main><section><h1>Trawl</h1><p>Fetches pages.</section>
       <section><h2>Prices</h2><p>Free.</section><section><h2>News</h2>${MENU}</section></main>
       <footer>Foot</footer>`,
      /# Trawl[\s\S]*Prices[\s\S]*Free[\s\S]*News[\s\S]*Two/,
      /Logo|Menu|Foot/,
    ],
  ])('keeps %s', (_, html, kept, left) => {
    const markdown = mainOf(html);
    expect(markdown).toMatch(kept);
    expect(markdown).not.toMatch(left);
  });
});
