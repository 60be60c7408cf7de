import { seededRandom } from '@app/testing';
import { endMarker, pagePath } from './fixture-pages.js';

const CHILDREN = 10;
const SENTENCES = 24;
const WORDS =
  'amber basket canyon desert echo falcon garden harbor island journey kettle lantern meadow north orchard pebble quartz river saddle timber valley willow yellow zephyr'.split(
    ' ',
  );

/**
 * Page `index` of a site of small pages, about 3 kB: a short article and links to ten children, so that
 * what a page costs a processor is little beside what else is measured. Same arguments, same bytes.
 */
export function renderSmallPage(index: number, pages: number): string {
  const random = seededRandom(index * 104_729 + 7);
  const sentence = (): string => {
    const words = Array.from({ length: random.int(8, 16) }, () => random.pick(WORDS));
    return `${words.join(' ')}.`;
  };
  const text = Array.from({ length: SENTENCES }, sentence);
  const paragraphs = [text.slice(0, 8), text.slice(8, 16), text.slice(16)].map(
    (sentences) => `<p>${sentences.join(' ')}</p>`,
  );
  const first = index * CHILDREN + 1;
  const links = Array.from({ length: CHILDREN }, (_, child) => first + child)
    .filter((target) => target < pages)
    .map((target) => `<li><a href="${pagePath(target)}">Page ${target}</a></li>`);
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${index}</title></head>\n` +
    `<body><main><article><h1>Page ${index}</h1>\n${paragraphs.join('\n')}\n` +
    `<p>Here the article is over: ${endMarker(index)}</p></article></main>\n` +
    `<ul>${links.join('')}</ul></body></html>\n`
  );
}
