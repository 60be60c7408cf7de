import { readFileSync } from 'node:fs';
import { markdownToHtml, markdownOf } from './rendered.js';
import { structureOf } from './structure.js';

/** What an example of a specification must be rendered as, by its number. */
type Examples = ReadonlyMap<number, string>;

/**
 * `commonmark-spec` is a development dependency: its text is CC-BY-SA and stays out of this
 * project.
 */
function commonMark(): Examples {
  const path = 'node_modules/commonmark-spec/spec.txt';
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const found = [...text.matchAll(/^`{32} example[^\n]*\n[\s\S]*?^\.\n([\s\S]*?)^`{32}$/gm)];
  return new Map(found.map(([, html = ''], at) => [at + 1, html.replaceAll('→', '\t')]));
}

/** No package has these; where they come from: gfm/SOURCE.md. */
function gfm(file: 'specification' | 'extensions'): Examples {
  const text = readFileSync(new URL(`gfm/${file}.json`, import.meta.url), 'utf8');
  const examples = JSON.parse(text) as readonly { number: number; html: string }[];
  return new Map(examples.map(({ number, html }) => [number, html]));
}

const LAYOUT = 'a table of one cell is layout, so its content is written alone';
const DELETED =
  'paragraphs that are deleted keep their strike, which the comparer gives only to text';
const TIGHT = 'a list whose item holds blocks cannot be tight and keep them apart';

interface Specification {
  readonly name: string;
  readonly examples: Examples;
  /** Examples that change, with the reason. */
  readonly changed: Readonly<Record<number, string>>;
}

const COMMON_MARK: Specification = {
  name: 'CommonMark 0.31.2',
  examples: commonMark(),
  changed: {
    148: LAYOUT,
    149: LAYOUT,
    160: LAYOUT,
    167: DELETED,
    190: LAYOUT,
    191: LAYOUT,
    321: TIGHT,
  },
};

const GFM: Specification = {
  name: 'GitHub Flavored Markdown 0.29',
  examples: gfm('specification'),
  changed: {
    118: LAYOUT,
    119: LAYOUT,
    130: LAYOUT,
    137: DELETED,
    159: LAYOUT,
    160: LAYOUT,
    301: TIGHT,
  },
};

const EXTENSIONS: Specification = {
  name: 'extensions of cmark-gfm 0.29.0.gfm.6',
  examples: gfm('extensions'),
  changed: {
    25: 'an anchor with percent signs in its name is not found, so its footnote stays a link',
  },
};

const countOf = (
  specifications: readonly Specification[],
): readonly [kept: number, all: number] => {
  const all = specifications.reduce((sum, { examples }) => sum + examples.size, 0);
  const changed = specifications.reduce((sum, one) => sum + Object.keys(one.changed).length, 0);
  return [all - changed, all];
};

const isChanged = (html: string): boolean =>
  structureOf(markdownToHtml(markdownOf(html))) !== structureOf(html);

describe.each(
  [COMMON_MARK, GFM, EXTENSIONS].map((one) => [one.name, ...countOf([one]), one] as const),
)('examples of %s, %i of %i', (_, __, ___, { examples, changed }) => {
  it('keep their structure, but for those listed', () => {
    const found = [...examples].filter(([, html]) => isChanged(html)).map(([number]) => number);
    expect(found).toEqual(Object.keys(changed).map(Number));
  });

  it.each(Object.entries(changed))('number %s changes: %s', (number) => {
    expect(isChanged(examples.get(Number(number)) ?? '')).toBe(true);
  });
});

describe('examples of Markdown specifications', () => {
  it.each([
    ['CommonMark', 652, [COMMON_MARK]],
    ['GitHub', 703, [GFM, EXTENSIONS]],
  ])('keep their structure in 98 of 100: %s, of %i', (_, count, specifications) => {
    const [kept, all] = countOf(specifications);
    expect(all).toBe(count);
    expect(kept).toBeGreaterThanOrEqual(0.98 * all);
  });
});
