import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { MAX_MODEL_CHARS } from '../../limits.js';
import { groundValue, type Grounded } from './ground.js';
import { PageText } from './page-text.js';

const URL_OF_PAGE = 'https://shop.example/anvils/3';

function ground(value: unknown, markdown: string, schema: unknown = {}): Grounded {
  return groundValue(value, {
    schema,
    page: new PageText(markdown, URL_OF_PAGE),
    hints: new Map(),
  });
}

describe('values of a page', () => {
  it.each([
    ['digits', '1 '],
    ['one number', '1'],
    ['groups', '111 '],
    ['commas', '1,'],
    ['open links', ']('],
    ['open angles', '](<'],
    ['one word', 'a'],
    ['short words', 'a '],
    ['phone numbers', '+1 (555) '],
    ['months', 'may 1 '],
    ['quotes', '](a "b'],
  ])('takes time linear in a page of %s', async (_what, unit) => {
    const value = ['a a a b', 12345, '+1 555 123 4567', '2024-05-01', 'x a', 'https://e.example/'];
    const cost = cpuCost(
      (chars) => unit.repeat(chars / unit.length),
      (markdown) => ground(value, markdown),
    );
    const growth = await growthOf(cost, { from: 30_000, upTo: MAX_MODEL_CHARS });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });
});
