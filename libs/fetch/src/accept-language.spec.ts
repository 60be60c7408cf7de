import { acceptLanguageOf } from './accept-language.js';

const tagsOf = (text: string) =>
  text.split(',').map((entry) => {
    const [tag = '', weight = 'q=1'] = entry.split(';');
    return { tag, weight: Number(weight.slice(2)) };
  });

it.each([
  ['DE', 'de-DE,de;q=0.9,en;q=0.7'],
  ['de', 'de-DE,de;q=0.9,en;q=0.7'],
  ['US', 'en-US,en;q=0.9'],
  ['CH', 'de-CH,de;q=0.95,fr-CH;q=0.9,fr;q=0.85,it-CH;q=0.8,it;q=0.75,en;q=0.7'],
  ['CA', 'en-CA,en;q=0.9,fr-CA;q=0.8,fr;q=0.7'],
  [null, 'en-US,en;q=0.8,*;q=0.5'],
  ['XX', 'en-US,en;q=0.8,*;q=0.5'],
  ['constructor', 'en-US,en;q=0.8,*;q=0.5'],
])('asks in %p for %s', (country, expected) => {
  expect(acceptLanguageOf(country)).toBe(expected);
});

it.each(['BE', 'LU', 'SG', 'IN', 'ES', 'HK', 'JP', 'BA', 'ZA'])(
  'asks in %s for each language once, by falling weight, English among them',
  (country) => {
    const asked = tagsOf(acceptLanguageOf(country));
    const weights = asked.map(({ weight }) => weight);
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
    expect(new Set(weights).size).toBe(weights.length);
    expect(new Set(asked.map(({ tag }) => tag)).size).toBe(asked.length);
    expect(asked.map(({ tag }) => tag)).toContain('en');
    expect(Math.min(...weights)).toBeGreaterThan(0);
  },
);
