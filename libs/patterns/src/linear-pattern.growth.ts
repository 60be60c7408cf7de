import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { LinearPattern } from './linear-pattern.js';

describe('a pattern in linear time', () => {
  it.each([
    ['(a+)+$', 'a'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
    ['(.*)*(.*)*(.*)*=x', 'ab'],
    ['(a|aa)+$', 'a'],
    ['(x+x+)+y', 'x'],
  ])('needs time linear in the text for %p', async (source, unit) => {
    const pattern = new LinearPattern(source);
    const cost = cpuCost(
      (n) => `${unit.repeat(n / unit.length)}!`,
      (text) => pattern.test(text),
    );
    // No longer text is looked at.
    expect(await growthOf(cost, { from: 2_400, upTo: 9_600 })).toBeLessThan(LINEAR_GROWTH);
  });
});
