import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { membersOf } from './json-members.js';

describe('the members of a JSON object', () => {
  it.each(['a', '"', '\\', '\\"', '{'])('take time linear in a text of %j', async (unit) => {
    const cost = cpuCost(
      (n) => Buffer.from(JSON.stringify({ text: unit.repeat(n), list: [unit.repeat(n)] })),
      (json) => membersOf(json),
    );
    expect(await growthOf(cost, { from: 100_000, upTo: 800_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
