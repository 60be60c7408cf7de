import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { MAX_ROBOTS_BYTES, parseRobots } from './robots-rules.js';

const SITE = 'http://site.example';

/** A product token of its own: letters alone count. */
const nameOf = (i: number): string =>
  `bot${[...String(i)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;

describe('bounds', () => {
  it('reads thousands of delays behind thousands of agents in time linear in them', async () => {
    const lines = (count: number, line: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => line(i)).join('\n');
    const fileOf = (count: number) =>
      `${lines(count, (i) => `user-agent: ${nameOf(i)}`)}\n${lines(count, () => 'crawl-delay: 1')}`;
    const growth = growthOf(cpuCost(fileOf, parseRobots), { from: 300, upTo: 12_000 });
    expect(await growth).toBeLessThan(LINEAR_GROWTH);
  });

  it.each([
    ['stars', (i: number) => `disallow: /${'*a'.repeat(20)}${i}b`],
    ['short stars', (i: number) => `allow:*a${i % 10}`],
    ['long repeats', (i: number) => `disallow: *${'a'.repeat(40)}${i}`],
    ['blanks', () => `disallow: /${' '.repeat(80)}x`],
  ])('decides in time linear in a hostile file of %s, and in the path', async (_name, line) => {
    const fileOf = (count: number) =>
      `user-agent: FooBot\n${Array.from({ length: count }, (_, i) => line(i)).join('\n')}`;
    const pathOf = (length: number) => `${SITE}/${'a'.repeat(length)}`;
    const path = pathOf(8_000);
    const ofFile = cpuCost(fileOf, (file) => parseRobots(file).isAllowed(path, 'FooBot'));
    const upTo = Math.floor(MAX_ROBOTS_BYTES / line(9_999).length);
    expect(await growthOf(ofFile, { from: 300, upTo })).toBeLessThan(LINEAR_GROWTH);
    // More than is read, so that the file is as bad as one can be.
    const worst = parseRobots(fileOf(60_000));
    const ofPath = cpuCost(pathOf, (url) => worst.isAllowed(url, 'FooBot'));
    expect(await growthOf(ofPath, { from: 100, upTo: 8_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
