import { cpuCost, growthOf, isFarBelowSquared, LINEAR_GROWTH } from '@app/testing';
import { hostileText, UNITS } from './hostile-text.js';
import { READERS, type Library } from './text-readers.js';

/** Characters of a text: enough that quadratic time shows. */
const CHARS = 40_000;

/** Those that count tokens take a second for each text; `chunk-markdown.growth.ts` measures them as well. */
const COSTLY: ReadonlySet<string> = new Set(['chunkMarkdown', 'pageParts', 'countTokens']);
const COSTLY_UNITS = ['a', 'a ', '\n', '#', '| ', '1 ', '</', '('];
const unitsFor = (name: string): readonly string[] => (COSTLY.has(name) ? COSTLY_UNITS : UNITS);

const names = Object.keys(READERS) as Library[];

describe.each(names)('functions of %s that read text of strangers', (library) => {
  it.each(Object.entries(READERS[library]))(
    '%s takes time linear in it, whatever its characters',
    async (name, read) => {
      const squared: string[] = [];
      for (const unit of unitsFor(name)) {
        const cost = cpuCost((n) => hostileText(unit, n), read);
        if (await isFarBelowSquared(cost, CHARS)) continue;
        const growth = await growthOf(cost, { from: CHARS / 4, upTo: 4 * CHARS });
        if (growth >= LINEAR_GROWTH) squared.push(`${JSON.stringify(unit)}: ${growth.toFixed(1)}`);
      }
      expect(squared).toEqual([]);
    },
  );
});
