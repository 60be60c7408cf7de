import { seededRandom, type SeededRandom } from '@app/testing';

const WORDS =
  'amber anchor autumn basket beacon border bottle branch bridge bright canyon carbon castle cedar chapter circle cloud copper corner cotton current desert dinner distance dragon eastern echo engine evening fabric falcon feather field figure forest fossil garden gentle glacier golden gravel harbor harvest hollow honest island ivory journey jungle kettle kingdom ladder lantern lemon letter linen magnet marble meadow mineral mirror morning mountain narrow northern oak ocean olive orbit orchard oxygen paper pebble pepper planet pocket prairie quartz quiet rabbit railway rapid raven ribbon river rocket saddle salmon sand scarlet season shadow shelter signal silver simple southern spiral spring stable station steady stone summer sunset tender thunder timber tower travel tunnel valley velvet village violet walnut water western whisper willow window winter wooden yellow zephyr'.split(
    ' ',
  );
const CHILDREN = 10;
const CROSS_LINKS = 12;
const MENU_LINKS = 48;
const MIN_PAGE_BYTES = 30_000;
const MAX_PAGE_BYTES = 120_000;

/** Stands in navigation, cookie notice and footer, so that one can count who still carries it. */
export const BOILERPLATE = 'SITEBOILERPLATE';

/** The last words of page `index`: a result that has them has the whole page. */
export function endMarker(index: number): string {
  return `MARKER-${index}-END`;
}

/** Path of page `index`: `/` for the first. */
export function pagePath(index: number): string {
  if (index === 0) return '/';
  return `/docs/${index}/${slug(index)}`;
}

/** What a page is made of; see {@link fixturePage}. */
export interface FixtureParts {
  readonly title: string;
  readonly head: string;
  readonly header: string;
  readonly article: string;
  readonly aside: string;
  readonly footer: string;
}

/**
 * Page `index` of a site of `pages`: an article of 30 to 120 kB (75 on average) in the usual
 * furniture, with links to ten children, twelve others, and a menu. Same arguments, same bytes.
 */
export function fixturePage(index: number, pages: number): string {
  const parts = fixtureParts(index, pages);
  return (
    `${parts.head}<body class="site">\n${parts.header}<main><article class="entry">\n${parts.article}` +
    `</article></main>\n${parts.aside}${parts.footer}</body></html>\n`
  );
}

/** The same page in parts, for a site whose script puts them together. */
export function fixtureParts(index: number, pages: number): FixtureParts {
  const random = seededRandom(index * 7_919 + 17);
  const targetBytes = random.int(MIN_PAGE_BYTES, MAX_PAGE_BYTES);
  const top = { head: head(index, random), header: header(pages) };
  const opened = opening(index, random);
  const end = `<p>Here the article is over: ${endMarker(index)}</p>\n`;
  const bottom = { aside: aside(index, pages, random), footer: footer(random) };
  const rest = [...Object.values(top), opened, end, ...Object.values(bottom)].join('').length;
  const body = article(index, pages, random, targetBytes - rest);
  return { title: title(index), ...top, article: opened + body + end, ...bottom };
}

function slug(index: number): string {
  const random = seededRandom(index + 90_001);
  return [random.pick(WORDS), random.pick(WORDS)].join('-');
}

function title(index: number): string {
  return `Guide ${index} to the ${slug(index).replace('-', ' ')}`;
}

function head(index: number, random: SeededRandom): string {
  const styles = Array.from({ length: 50 }, (_, rule) => {
    const color = random.int(0x100000, 0xffffff).toString(16);
    return `.${random.pick(WORDS)}-${rule}{color:#${color};padding:${random.int(0, 30)}px}`;
  });
  const data = JSON.stringify({ '@type': 'Article', headline: title(index) });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title(index)} - Bench</title>
<meta name="description" content="${sentence(random)}"><meta property="og:title" content="${title(index)}">
<link rel="canonical" href="${pagePath(index)}"><link rel="stylesheet" href="/assets/site.css">
<script type="application/ld+json">${data}</script><script src="/assets/site.js" defer></script>
<style>${styles.join('')}</style></head>
`;
}

const headers = new Map<number, string>();

/** The menu is the same on every page, as on a real site. */
function header(pages: number): string {
  const known = headers.get(pages);
  if (known !== undefined) return known;
  const links = Array.from({ length: MENU_LINKS }, (_, entry) => {
    const target = (entry + 1) % pages;
    return `<li class="menu__item"><a class="menu__link" href="${pagePath(target)}"><i class="icon"></i>${title(target)}</a></li>`;
  });
  const html = `<div class="cookie-notice" role="dialog"><p>${BOILERPLATE}: cookies make this site better.</p><button>Accept all</button></div>
<header><a class="logo" href="/"><svg viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>Bench</a>
<nav aria-label="Main"><ul class="menu">${links.join('\n')}</ul></nav>
<form action="/private/search"><input name="q"></form></header>
`;
  headers.set(pages, html);
  return html;
}

function opening(index: number, random: SeededRandom): string {
  const author = `/private/people/${index % 40}`;
  return `<h1>${title(index)}</h1>
<p class="byline">By <a rel="author" href="${author}">${capital(random.pick(WORDS))}</a></p>
<p class="lead">MARKER-${index}-START ${sentence(random)}</p>
`;
}

type Block = (random: SeededRandom, pages: number) => string;

const paragraph: Block = (random, pages) => {
  const count = random.int(3, 7);
  return `<p>${Array.from({ length: count }, () => richSentence(random, pages)).join(' ')}</p>\n`;
};

const heading: Block = (random) => {
  const level = random.int(2, 3);
  return `<h${level}>${capital(random.pick(WORDS))} ${random.pick(WORDS)}</h${level}>\n`;
};

const list: Block = (random) => {
  const items = Array.from({ length: random.int(4, 9) }, () => `<li>${sentence(random)}</li>`);
  return `<ul class="points">\n${items.join('\n')}\n</ul>\n`;
};

const table: Block = (random) => {
  const rows = Array.from(
    { length: random.int(5, 15) },
    () =>
      `<tr><td>${random.pick(WORDS)}</td><td>${random.int(1, 9_999)}</td><td>${random.pick(WORDS)}</td></tr>`,
  );
  return `<table class="facts"><thead><tr><th>Thing</th><th>Count</th><th>Remark</th></tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>\n`;
};

const code: Block = (random) => {
  const lines = Array.from(
    { length: random.int(4, 10) },
    () =>
      `let ${random.pick(WORDS)} = ${random.pick(WORDS)}(&quot;${random.pick(WORDS)}&quot;, ${random.int(0, 99)});`,
  );
  return `<pre><code class="language-js">${lines.join('\n')}</code></pre>\n`;
};

const quote: Block = (random) => `<blockquote><p>${sentence(random)}</p></blockquote>\n`;

const figure: Block = (random) =>
  `<figure><img src="/assets/${random.int(1, 60)}.png" alt="${random.pick(WORDS)}"><figcaption>${sentence(random)}</figcaption></figure>\n`;

const callout: Block = (random) =>
  `<div class="note"><div class="note__body"><p>${sentence(random)}</p></div></div>\n`;

/** A kind appears here as often as in an article. */
const BLOCKS: readonly Block[] = [
  ...Array.from({ length: 7 }, () => paragraph),
  heading,
  list,
  table,
  code,
  quote,
  figure,
  callout,
];

function article(index: number, pages: number, random: SeededRandom, bytes: number): string {
  const parts: string[] = [];
  for (let length = 0; length < bytes; length += parts.at(-1)?.length ?? 0) {
    parts.push(random.pick(BLOCKS)(random, pages));
  }
  return parts.join('');
}

function aside(index: number, pages: number, random: SeededRandom): string {
  const first = index * CHILDREN + 1;
  const targets = Array.from({ length: CHILDREN }, (_, child) => first + child).filter(
    (target) => target < pages,
  );
  for (let cross = 0; cross < CROSS_LINKS; cross++) targets.push(random.int(0, pages - 1));
  const links = targets.map(
    (target, at) => `<li><a href="${pagePath(target)}#part-${at}">${title(target)}</a></li>`,
  );
  return `<aside><h3>Read on</h3><ul>\n${links.join('\n')}\n</ul></aside>\n`;
}

function footer(random: SeededRandom): string {
  const links = Array.from(
    { length: 30 },
    (_, at) =>
      `<li><a href="https://partner-${at % 6}.invalid/${random.pick(WORDS)}">${random.pick(WORDS)}</a></li>`,
  );
  return `<footer><ul>${links.join('\n')}</ul><p>${BOILERPLATE} &copy; Bench. <a href="/private/terms">Terms</a> <a href="mailto:bench@mail.invalid">Mail</a> <a href="#top">Top</a></p></footer>\n`;
}

function richSentence(random: SeededRandom, pages: number): string {
  const text = sentence(random);
  switch (random.int(0, 8)) {
    case 0:
      return `<strong>${text}</strong>`;
    case 1:
      return `<em>${text}</em>`;
    case 2: {
      const target = random.int(0, pages - 1);
      return `${text} More in <a href="${pagePath(target)}">${title(target)}</a>.`;
    }
    case 3:
      return `${text} Call <code>${random.pick(WORDS)}_${random.pick(WORDS)}()</code> &amp; wait.`;
    default:
      return text;
  }
}

function sentence(random: SeededRandom): string {
  const words = Array.from({ length: random.int(8, 24) }, () => random.pick(WORDS));
  return `${capital(words.join(' '))}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
