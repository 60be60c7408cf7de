import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { renderMarkdown } from './render-markdown.js';

const HOSTILE: readonly (readonly [string, string])[] = [
  ['opening brackets', '['],
  ['unclosed links', '[a]('],
  ['links without a closing title', '[a](b "'],
  ['images in images', '![!['],
  ['emphasis', '*a **b '],
  ['backticks', '`'],
  ['backticks of many lengths', '` `` ``` ```` '],
  ['quotes', '>'],
  ['quotes and breaks', '> '.repeat(50) + '\n'],
  ['lists', '- '],
  ['list lines', '- a\n  '],
  ['bars', '|'],
  ['table heads', '|a|\n|-|\n'],
  ['angle brackets', '<http://'],
  ['ampersands', '&am'],
  ['backslashes', '\\'],
  ['hashes and spaces', '# # '],
  ['spaces', ' '],
  ['rules', '- - '],
  ['blank lines in a list', '- a\n\n\n'],
];

it.each(HOSTILE)('Markdown takes linear time for %s', async (_name, unit) => {
  const make = (chars: number) => unit.repeat(Math.ceil(chars / unit.length));
  expect(await growthOf(cpuCost(make, renderMarkdown))).toBeLessThan(LINEAR_GROWTH);
});
