import { withoutLegalForms } from './legal-forms.js';

const rest = (name: string): string => withoutLegalForms(name.split(' ')).join(' ');

describe('withoutLegalForms', () => {
  it.each([
    ['acme llc', 'acme'],
    ['acme co ltd', 'acme'],
    ['acme l l c', 'acme'],
    ['acme gmbh co kg', 'acme'],
    ['acme s de rl de cv', 'acme'],
    ['sarl acme', 'acme'],
    ['acme株式会社', 'acme'],
    ['ab acme', 'ab acme'],
    ['acme spa', 'acme spa'],
    ['limited edition', 'limited edition'],
    ['inc', ''],
  ])('of %s leaves %j', (name, expected) => {
    expect(rest(name)).toBe(expected);
  });
});
