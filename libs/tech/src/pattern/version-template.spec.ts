import { betterVersion, fillVersion } from './version-template.js';

describe('fillVersion', () => {
  it.each([
    ['\\1', ['x', '1.2.3'], '1.2.3'],
    ['\\2', ['x', 'a', '2'], '2'],
    ['\\1.\\2', ['x', '4', '5'], '4.5'],
    ['\\1', ['x', undefined], ''],
    ['\\1.\\2', ['x', '4', undefined], '4'],
    ['\\1?5:4', ['x', 'yes'], '5'],
    ['\\1?5:4', ['x', undefined], '4'],
    ['\\1?\\1:3', ['x', '7.1'], '7.1'],
    ['\\1?:3', ['x', 'yes'], ''],
    ['\\1?2:', ['x', undefined], ''],
    ['3', ['x'], '3'],
    ['\\1', ['x', '1.2.'], '1.2'],
    ['\\1', ['x', ' 1.2-'], '1.2'],
    ['\\1', ['x', 'beta'], ''],
    ['\\1', ['x', '1'.repeat(30)], '1'.repeat(30)],
    ['\\1', ['x', '1'.repeat(31)], ''],
  ])('fills %j from %j as %j', (template, groups, version) => {
    expect(fillVersion(template, groups)).toBe(version);
  });

  it.each([
    ['', '1', '1'],
    ['6', '6.5.2', '6.5.2'],
    ['6.5.2', '6', '6.5.2'],
    ['3.7', '3.10', '3.10'],
    ['3.1', '3.2', '3.1'],
  ])('of %j and then %j keeps %j', (known, other, kept) => {
    expect(betterVersion(known, other)).toBe(kept);
  });
});
