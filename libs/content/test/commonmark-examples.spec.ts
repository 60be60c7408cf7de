import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { htmlOf, markdownOf } from './rendered.js';
import { structureOf } from './structure.js';

/**
 * The examples of the CommonMark specification (`commonmark-spec`, a development dependency: its
 * text is CC-BY-SA and stays out of this project), and of any other specification of that form
 * whose file `MARKDOWN_SPECS` names, separated by commas: GitHub's is `test/spec.txt` of cmark-gfm.
 */
const SPECS = [
  join(process.cwd(), 'node_modules/commonmark-spec/spec.txt'),
  ...(process.env.MARKDOWN_SPECS ?? '').split(',').filter((path) => path !== ''),
];

/** HTML of the examples of a specification. */
function examplesOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^`{32} example[^\n]*\n[\s\S]*?^\.\n([\s\S]*?)^`{32}$/gm)].map(
    ([, html = '']) => html.replaceAll('→', '\t'),
  );
}

describe('examples of Markdown specifications', () => {
  it.each(SPECS)('keep their structure in 98 of 100: %s', (path) => {
    const examples = examplesOf(path);
    const changed = examples.filter(
      (html) => structureOf(htmlOf(markdownOf(html))) !== structureOf(html),
    );
    expect(examples.length).toBeGreaterThan(600);
    expect(changed.length).toBeLessThanOrEqual(0.02 * examples.length);
  });
});
