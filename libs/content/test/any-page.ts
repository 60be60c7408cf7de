import fc from 'fast-check';

/** Pieces of text that Markdown would read as markup, beside plain words. */
const PIECES = [
  'word',
  'two words',
  'Ünïcode',
  '日本語',
  '12',
  '1.',
  '2)',
  '-',
  '+',
  '*',
  '**',
  '_',
  '__',
  'a_b',
  '~',
  '~~',
  '`',
  '``',
  '#',
  '##',
  '>',
  '|',
  '[',
  ']',
  '[x]',
  '[a](b)',
  '![',
  '!',
  '(',
  ')',
  ':',
  '---',
  '===',
  '\\',
  '\\*',
  '&amp;',
  '&lt;b&gt;',
  '&amp;amp;',
  '&lt;',
  '.',
  ',',
  '“',
  '”',
  '$',
  '^',
  '  ',
  ' ',
  '\n',
  '&nbsp;',
  ':-:',
  '| a |',
  '[^1]',
  '[^1]: x',
  '[a]: b',
  '-->',
  '&lt;!--',
  '0',
  '="',
  '😀',
  '—',
  '。',
  '「',
  '」',
];

const text = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 })
  .map((pieces) => pieces.join(''));

/**
 * Their content starts and ends with a letter: emphasis of mere punctuation may have no Markdown,
 * and then its text goes on without.
 */
const INLINE = ['b', 'strong', 'i', 'em', 's', 'del', 'code', 'span', 'u', 'small'];

const { inline } = fc.letrec<{ inline: string; element: string }>((tie) => ({
  inline: fc
    .array(fc.oneof({ withCrossShrink: true }, text, tie('element')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join('')),
  element: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom('k<br>k', '<wbr>'),
    fc
      .tuple(fc.constantFrom(...INLINE), tie('inline'))
      .map(([name, content]) => `<${name}>k${content}k</${name}>`),
    tie('inline').map(
      (content) => `<a href="/x_(y)?a=1&amp;b=2">${content.replaceAll('<br>', ' ')}</a>`,
    ),
  ),
}));

/** A picture inside emphasis that ends in a word can keep its place or its emphasis, not both. */
const image = fc.constant('<img src="/i.png" alt="a [b] *c*">');
const line = fc
  .array(fc.oneof(inline, image), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''));

/** Inline content with something to see: what has none leaves no trace, in whatever block. */
const seen = inline.filter((content) => /\S/.test(content.replace(/<[^<>]*>|&nbsp;/g, '')));
const seenLine = line.filter((content) =>
  /\S|<img/.test(content.replace(/<(?!img)[^<>]*>|&nbsp;/g, '')),
);

const code = fc
  .array(fc.constantFrom('a', ' ', '\n', '```', '~~~', '\t', '&lt;', '*', '    ', '|'), {
    maxLength: 8,
  })
  .map((parts) => `<pre><code class="language-js">x${parts.join('')}x</code></pre>`);

const cell = fc.tuple(fc.constantFrom('td', 'th'), fc.oneof(seen, fc.constant(''))).map(
  // In a cell a backslash before a pipe cannot be distinguished from an escape of it (GFM 4.10), in
  // code.
  ([name, content]) => `<${name}>${content.replace(/(?<!\\)\\+(?=\|)/g, '')}</${name}>`,
);
const table = fc
  .array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .map(
    (rows) => `<table>${rows.map((row) => `<tr><td>k</td>${row.join('')}</tr>`).join('')}</table>`,
  );

const list = (items: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('ul', 'ol', 'ol start="0"', 'ol start="7"'),
      fc.array(items, { minLength: 1, maxLength: 3 }),
    )
    .map(([tag, content]) => `<${tag}>${content.join('')}</${tag.slice(0, 2)}>`);

const leaf = fc.oneof(
  seenLine.map((content) => `<p>${content}</p>`),
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), seen)
    .map(([level, content]) => `<h${level}>${content}</h${level}>`),
  fc.constant('<hr>'),
  code,
  table,
);

/**
 * Without lists: micromark takes a list that is followed by something in a quote for a loose one.
 */
const quote = fc
  .array(leaf, { minLength: 1, maxLength: 3 })
  .map((parts) => `<blockquote>${parts.join('')}</blockquote>`);

const { blocks } = fc.letrec<{ blocks: string; block: string; item: string }>((tie) => ({
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  block: fc.oneof({ maxDepth: 3 }, leaf, quote, list(tie('item'))),
  item: fc.oneof(
    seen.map((content) => `<li>${content}</li>`),
    tie('blocks').map((content) => `<li>${content}</li>`),
    fc.tuple(seen, tie('blocks')).map(([lead, content]) => `<li>${lead}${content}</li>`),
  ),
}));

const page = fc
  .array(
    fc.oneof(
      blocks,
      blocks.map((content) => `<div>${content}</div>`),
      fc
        .tuple(seen, blocks)
        .map(([term, content]) => `<dl><dt>${term}</dt><dd>${content}</dd></dl>`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(''));

/**
 * Well-formed pages of every kind of block and inline element, nested, full of special characters.
 */
export const anyPage: fc.Arbitrary<string> = page;

/** The inline content of such pages. */
export const anyInline: fc.Arbitrary<string> = line;

/** Start and end tags in any order, with text between: what browsers have to make a tree of. */
export const anyTagSoup: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'b', ' c ', 'd.', '*'),
      fc
        .constantFrom(
          ...'b i em strong a p div ul li span code h2 table tr td th blockquote'.split(' '),
        )
        .chain((name) =>
          fc.constantFrom(`<${name}${name === 'a' ? ' href="/x"' : ''}>`, `</${name}>`),
        ),
      fc.constantFrom('<br>', '<hr>'),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));
