import fc from 'fast-check';
import { graphBusinessOf, publicText } from './graph-row.js';

const phones = [
  '(217) 544-0123',
  '217.544.0123',
  '+1 217 544 0123',
  '+49 30 1234567',
  'tel:2175440123',
  '217 544 0123',
  '２１７ ５４４ ０１２３',
  '+12175440123',
];
const emails = [
  'jane@acme.com',
  'jane(at)acme.com',
  'jane[at]acme.com',
  'mailto:jane@acme.com',
  'jane＠acme.com',
  'jane%40acme.com',
];

describe('publicText', () => {
  it.each(phones)('leaves out the number %s', (phone) => {
    expect(publicText(`Call ${phone} today`)).toBe('Call today');
  });
  it.each(emails)('leaves out the address %s', (email) => {
    expect(publicText(`Write to ${email} today`)).toBe('Write to today');
  });
  it.each(['Studio 54', '3M', 'Founded 1998 in Austin', '7-Eleven', 'Open 24/7', '1-800 Flowers'])(
    'keeps %s',
    (text) => expect(publicText(text)).toBe(text),
  );
  it('has nothing left of an address alone', () => {
    expect(publicText('a@b.example')).toBeNull();
    expect(publicText(undefined)).toBeNull();
  });
});

describe('the rows of the graph', () => {
  it('contain no phone number and no e-mail address, whatever the evidence says', () => {
    const poison = fc
      .tuple(fc.constantFrom(...phones, ...emails), fc.string({ maxLength: 20 }))
      .map(([contact, text]) => `${text} ${contact} ${text}`);
    fc.assert(
      fc.property(
        fc.array(poison, { minLength: 5, maxLength: 5 }),
        ([name, city, tech, about, title]) => {
          const row = graphBusinessOf({
            id: 'x',
            sourceCount: 1,
            freshness: new Date(0),
            business: {
              ...{ name, description: about, phone: '+12175440123', email: 'jane@acme.com' },
              industry: { naics: '62', title: title ?? '' },
              location: { city, street: '1 Elm St' },
              techStack: [tech ?? ''],
              socials: { linkedin: 'https://www.linkedin.com/in/jane' },
            },
          });
          const { freshness: _, ...shown } = row;
          expect(JSON.stringify(shown)).not.toMatch(
            /@|＠|acme\.com|\d{3}\D{0,3}\d{4}|linkedin|Elm/,
          );
        },
      ),
      { numRuns: 300, seed: 1 },
    );
  });
});
