import { comparableName, nameAgreement, type NameCounts } from './name-agreement.js';

function agreement(one: string, other: string, counts: NameCounts = {}, town = '') {
  const isLocal = (word: string): boolean => town.split(' ').includes(word);
  const [a, b] = [[comparableName(one)], [comparableName(other)]];
  const result = nameAgreement(a, b, counts, isLocal);
  expect(nameAgreement(b, a, counts, isLocal)).toEqual(result);
  return result;
}

describe('nameAgreement', () => {
  it.each([
    ['acme widgets', 'acme widgets', 'same'],
    ['bel air', 'belair', 'same'],
    ['hotel bel air', 'bel air hotel', 'close'],
    ['katsu restuarant', 'katsu restaurant', 'close'],
    ['jonson plumbing', 'johnson plumbing', 'close'],
    ['arts delicatessen', 'arts deli', 'close'],
    ['seryna', 'seryna restaurant', 'contained'],
    ['ibm', 'international business machines', 'contained'],
    ['mercy hospital pharmacy', 'mercy hospital clinic', 'sibling'],
    ['smith plumbing', 'smith roofing', 'sibling'],
    ['studio 54', 'studio 55', 'different'],
    ['kormarix 54', 'kormarix 55', 'weak'],
    ['kormarix', 'kormarix 55', 'contained'],
    ['city pizza', 'city pizza kitchen', 'weak'],
    ['smith plumbing', 'jones plumbing', 'different'],
    ['acme', 'zenith', 'different'],
  ])('of %s and %s is %s', (one, other, level) => {
    expect(agreement(one, other)?.level).toBe(level);
  });

  it('counts words of their town as little as those of a trade', () => {
    expect(agreement('kingston pizza', 'kingston pizza associates')?.level).toBe('contained');
    expect(agreement('kingston pizza', 'kingston pizza associates', {}, 'kingston')?.level).toBe(
      'weak',
    );
  });

  it('takes the best of several names', () => {
    const [a, b] = [
      ['smith holdings', 'joes pizza'],
      ['joes pizza', 'giuseppes'],
    ].map((keys) => keys.map(comparableName));
    expect(nameAgreement(a ?? [], b ?? [], {})?.level).toBe('same');
    expect(nameAgreement(a ?? [], [], {})).toBeUndefined();
  });

  it.each([
    [1, 2],
    [4, 0],
    [32, -3],
    [5_000, -3],
  ])('of a name that %i businesses have shifts by %i', (count, shift) => {
    expect(agreement('acme', 'acme', { nameCount: () => count })?.shift).toBe(shift);
  });

  it('guesses how rare a name is where no count is known', () => {
    expect(agreement('city pizza', 'city pizza')?.shift).toBe(-3);
    expect(agreement('subway', 'subway')?.shift).toBe(-1);
    expect(agreement('kormarix evergreen', 'kormarix evergreen')?.shift).toBe(0);
    expect(agreement('kormarix evergreen olson', 'kormarix evergreen olson')?.shift).toBe(1);
  });
});
