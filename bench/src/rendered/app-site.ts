// The site of the rendered suite: each page is a shell, and what is on it comes with script and JSON.
import { endMarker, fixtureParts, pagePath } from '../fixture-pages.js';
import { noise, noisePng } from './noise-png.js';

const IMAGES = 60;
const MAX_IMAGES_PER_PAGE = 6;
const FONT_BYTES = 48_000;
const LIBRARY_FUNCTIONS = 1_200;
const CSS_RULES = 900;

const INLINE_STYLES = `<style>${Array.from({ length: 40 }, (_, at) => `.c${at}{display:flex;margin:${at}px}`).join('')}</style>`;

/** Links to every page, in plain HTML: where a crawl of this site begins. */
export const LISTING_PATH = '/all';

export interface SiteFile {
  readonly type: string;
  readonly body: Buffer;
  /** Assets may be kept by a browser, pages and their data may not. */
  readonly isCacheable: boolean;
}

/** The shells, by path: {@link pagePath} of each page. */
export function appShells(pages: number): ReadonlyMap<string, Buffer> {
  return new Map(
    Array.from({ length: pages }, (_, index) => [
      pagePath(index),
      Buffer.from(shell(index, pages)),
    ]),
  );
}

/** Everything else, by path: the pages' data, script, styles, font, pictures, the listing. */
export function appFiles(pages: number): ReadonlyMap<string, SiteFile> {
  const files = new Map<string, SiteFile>([
    ['/assets/app.js', asset('text/javascript', script())],
    ['/assets/app.css', asset('text/css', styles())],
    ['/assets/site.woff2', asset('font/woff2', noise(5, FONT_BYTES))],
    [LISTING_PATH, answer('text/html; charset=utf-8', listing(pages))],
  ]);
  for (let image = 1; image <= IMAGES; image++) {
    files.set(`/assets/${image}.png`, asset('image/png', noisePng(image, 160, 90)));
  }
  for (let index = 0; index < pages; index++) {
    files.set(`/api/page/${index}`, answer('application/json', data(index, pages)));
  }
  return files;
}

function asset(type: string, body: string | Uint8Array): SiteFile {
  return { type, body: Buffer.from(body), isCacheable: true };
}

function answer(type: string, body: string): SiteFile {
  return { type, body: Buffer.from(body), isCacheable: false };
}

/** About 4 kB without a word of the article. */
function shell(index: number, pages: number): string {
  const head = fixtureParts(index, pages)
    .head.replace(/<script src=[^>]*><\/script>/, '')
    .replace(
      '/assets/site.css">',
      '/assets/app.css"><link rel="preload" as="font" type="font/woff2" href="/assets/site.woff2" crossorigin>',
    );
  return `${head}${INLINE_STYLES}<body data-page="${index}"><noscript>Please enable JavaScript.</noscript><div id="root"></div><script src="/assets/app.js"></script></body></html>\n`;
}

function data(index: number, pages: number): string {
  const { title, header, article, aside, footer } = fixtureParts(index, pages);
  let images = 0;
  const kept = article.replace(/<img ([^>]*)>/g, (_, attributes: string) =>
    ++images > MAX_IMAGES_PER_PAGE
      ? ''
      : `<img loading="eager" width="640" height="360" ${attributes}>`,
  );
  if (!kept.includes(endMarker(index))) throw new Error(`page ${index} lost its end`);
  return JSON.stringify({ title, header, blocks: kept.split('\n'), aside, footer });
}

/** Small work of its own, and as much library code to be read as sites carry: 166 kB. */
function script(): string {
  const library = Array.from(
    { length: LIBRARY_FUNCTIONS },
    (_, at) =>
      `function lib_${at}(a,b){var c=[];for(var i=0;i<a;i++){c.push(i*b+${at})}return c.map(function(x){return x%7}).filter(Boolean).join('part-${at % 97}-')}\n`,
  );
  return `(function(){"use strict";
function render(page){var root=document.getElementById("root");document.title=page.title;
 var top=document.createElement("div");top.innerHTML=page.header;root.appendChild(top);
 var main=document.createElement("main");var article=document.createElement("article");main.appendChild(article);
 page.blocks.join("\\n").split(/\\n(?=<(?:p|h\\d|ul|div|pre|table|blockquote|figure))/).forEach(function(block){var made=document.createElement("template");made.innerHTML=block;article.appendChild(made.content)});
 root.appendChild(main);var rest=document.createElement("div");rest.innerHTML=page.aside+page.footer;root.appendChild(rest);
 document.documentElement.setAttribute("data-ready","1")}
fetch("/api/page/"+document.body.getAttribute("data-page")).then(function(answer){return answer.json()}).then(render)})();
${library.join('')}var sum=0;for(var turn=0;turn<20000;turn++){sum+=lib_1(5,turn).length}window.__sum=sum;
`;
}

function styles(): string {
  const rules = Array.from(
    { length: CSS_RULES },
    (_, at) =>
      `.m${at} .n${at % 17}{padding:${at % 30}px;border:1px solid #${(at * 977 + 0x100000).toString(16)}}`,
  );
  return `@font-face{font-family:Site;src:url(/assets/site.woff2)}body{font-family:Site,sans-serif}${rules.join('')}`;
}

function listing(pages: number): string {
  const links = Array.from(
    { length: pages },
    (_, index) => `<li><a href="${pagePath(index)}">Page ${index} of this site</a></li>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>All pages</title></head><body><main><h1>All pages of this site</h1>
<p>Every page of the site stands here once, in the order in which they were written, so that whoever
looks for one of them finds it without the menu.</p><ul>\n${links.join('\n')}\n</ul></main></body></html>\n`;
}
