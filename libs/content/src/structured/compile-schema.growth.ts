import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { schemaProblem } from './compile-schema.js';

describe('a schema of a request', () => {
  it('compiles in time linear in its fields, up to its largest', async () => {
    const schemaOf = (count: number) => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `f${at}`,
          { type: 'string', pattern: `^[a-z]{1,${1 + (at % 9)}}$`, format: 'uri' },
        ]),
      ),
    });
    const growth = await growthOf(cpuCost(schemaOf, schemaProblem), { from: 122, upTo: 490 });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });
});
