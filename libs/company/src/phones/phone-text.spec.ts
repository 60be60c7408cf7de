import { phoneIn } from './phone-text.js';

describe('phoneIn', () => {
  it.each([
    ['(512) 234-5678', undefined, '+15122345678'],
    ['030 5550177', 'DE', '+49305550177'],
    ['+49 30 5550177', undefined, '+49305550177'],
    ['+49 30 5550177', 'Narnia', '+49305550177'],
    ['030 5550177', 'Narnia', undefined],
    ['512-555-5555 x', 'US', undefined],
    ['555-555-5555', 'US', undefined],
    ['1'.repeat(100), 'US', undefined],
  ])('reads %s in %s as %s', (text, country, number) => {
    expect(phoneIn(text, country)).toBe(number);
  });
});
