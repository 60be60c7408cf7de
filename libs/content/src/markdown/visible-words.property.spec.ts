import fc from 'fast-check';
import { parseHtml } from '../dom/parse-html.js';
import { UrlResolver } from '../links/url-resolver.js';
import { writeMarkdown } from './write-markdown.js';

/** Markup with `@` where a word is to be put. */
type Template = string;

/** Ways to write one word: `#` is the rest of it. */
const WORDS: readonly Template[] = [
  'q#',
  'q<b>#</b>',
  '<i>q</i>#',
  'q<span>#</span>',
  'q&shy;#',
  'q<wbr>#',
  'q\u200b#',
  'q\u2060#',
  'q<!-- x -->#',
  '<font>q</font>#',
  'q<sub>#</sub>',
  '<code>q</code>#',
  '<a href="/x">q#</a>',
  '<a href="/x">q</a>#',
  '<b><a href="/x">q</a></b>#',
  'qu\u0308#',
  '<ruby>q<rp>(</rp><rt></rt><rp>)</rp>#</ruby>',
];

const words = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((forms) => forms.map((form) => form.replace('#', '@')).join(' '));

const wrapped = (inner: fc.Arbitrary<Template>, ...wraps: string[]): fc.Arbitrary<Template> =>
  fc
    .tuple(fc.constantFrom(...wraps), inner)
    .map(([name, content]) => `<${name}>${content}</${name.split(' ', 1).join('')}>`);

const several = (one: fc.Arbitrary<Template>): fc.Arbitrary<Template> =>
  fc.array(one, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '));

const line = fc.oneof(
  words,
  wrapped(words, 'b', 'em', 'a href="/y"', 'q', 'small', 'label', 'code'),
  fc.tuple(words, words).map((parts) => parts.join('<br>')),
  fc.tuple(words, words).map((parts) => parts.join(' <img src="/i.png"> ')),
);

const row = several(wrapped(line, 'td', 'th')).map((cells) => `<tr>${cells}</tr>`);

const details = (title: Template, text: Template): Template =>
  `<details><summary>${title}</summary>${text}</details>`;

const { blocks } = fc.letrec<{ blocks: Template; block: Template }>((tie) => ({
  blocks: several(tie('block')),
  block: fc.oneof(
    { maxDepth: 3 },
    wrapped(line, 'p', 'h1', 'h2', 'h4', 'div', 'address', 'figcaption', 'legend', 'pre'),
    several(wrapped(line, 'li')).map((items) => `<ul>${items}</ul>`),
    row.map((cells) => `<table>${cells}</table>`),
    several(row).map((rows) => `<table>${rows}</table>`),
    wrapped(tie('blocks'), 'div', 'section', 'blockquote', 'figure', 'fieldset', 'form', 'span'),
    several(wrapped(tie('blocks'), 'li')).map((items) => `<ol>${items}</ol>`),
    fc.tuple(line, tie('blocks')).map(([term, text]) => `<dl><dt>${term}<dd>${text}</dl>`),
    fc.tuple(line, tie('blocks')).map(([title, text]) => details(title, text)),
    fc.tuple(line, tie('blocks')).map(([first, second]) => `${first} ${second}`),
    wrapped(several(wrapped(tie('blocks'), 'td')), 'tr').map((rows) => `<table>${rows}</table>`),
  ),
}));

/** Letters alone, another each time. */
const nameOf = (count: number): string =>
  count < 26
    ? String.fromCharCode(97 + count)
    : nameOf(Math.floor(count / 26) - 1) + nameOf(count % 26);

/** The page of a template and its words, as a reader sees them. */
function filled(template: Template): { readonly html: string; readonly seen: readonly string[] } {
  const seen: string[] = [];
  const parts = template.split('@');
  const page = parts.reduce((text, part, at) => {
    const name = `z${nameOf(at - 1)}z`;
    seen.push(`q${text.endsWith('u\u0308') ? 'ü' : ''}${name}`);
    return text + name + part;
  });
  return { html: page, seen };
}

/** The words of Markdown, without its marks and addresses; code keeps accents as they are written. */
const wordsOf = (markdown: string): readonly string[] =>
  markdown
    .replace(/!\[\]\([^)]*\)|<br>/g, ' ')
    .replace(/\]\([^)]*\)/g, '')
    .replace(/[*`[\]\\~]/g, '')
    .normalize('NFC')
    .match(/\p{L}+/gu) ?? [];

describe('the words of a page', () => {
  const resolver = new UrlResolver('https://example.com/');

  it('are in its Markdown, each once, in order and in one piece', () => {
    fc.assert(
      fc.property(blocks, (template) => {
        const { html, seen } = filled(template);
        const { markdown } = writeMarkdown(parseHtml(html), resolver);
        expect(wordsOf(markdown)).toEqual(seen);
      }),
      { numRuns: 200 },
    );
  });
});
