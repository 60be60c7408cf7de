import { registrableDomain } from './registrable-domain.js';

describe('registrableDomain', () => {
  it.each([
    ['acme.com', 'acme.com'],
    ['https://www.shop.acme.co.uk/a?b#c', 'acme.co.uk'],
    ['ACME.COM.', 'acme.com'],
    ['acme.com:8443', 'acme.com'],
    ['acme.github.io', 'acme.github.io'],
    ['acme.blogspot.com', 'acme.blogspot.com'],
    ['bäcker.de', 'xn--bcker-gra.de'],
    [`https://acme.com/${'a'.repeat(5_000)}`, 'acme.com'],
  ])('of %s is %s', (text, domain) => {
    expect(registrableDomain(text)).toBe(domain);
  });

  it.each([
    ...['', 'no domain', 'localhost', 'com', 'github.io', '127.0.0.1', '[::1]', 'http://'],
    ...['https://www.facebook.com/acme', 'https://linktr.ee/acme', 'yelp.com/biz/acme'],
  ])('of %j is none', (text) => {
    expect(registrableDomain(text)).toBeUndefined();
  });
});
