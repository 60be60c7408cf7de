import { readablePage } from '../../readable-page.js';
import { readListing } from '../read-listing.js';

const read = (thing: object, { host = 'acme.com', lang = 'en', body = '' } = {}) => {
  const url = `https://${host}/`;
  const json = JSON.stringify({ '@type': 'Hotel', name: 'Acme', email: 'a@acme.com', ...thing });
  const html = `<html lang="${lang}"><title>Acme</title><script type="application/ld+json">${json}</script>${body}`;
  return readListing(readablePage(html, url));
};

const LONDON = { addressLocality: 'London' };

describe('a phone number of markup in national form', () => {
  it.each([
    ['020 7234 3456', LONDON],
    ['098765 43210', undefined],
    ['01 42 68 53 00', { addressLocality: 'Paris' }],
    ['(020) 7234-3456', LONDON],
  ])('is kept as given where no country is known: %s', (telephone, address) => {
    const listing = read({ telephone, address });
    expect(listing?.phone).toBe(telephone);
    expect(listing?._provenance.phone).toEqual({ layer: 'json-ld', path: '$[0].telephone' });
    expect(read({ telephone, address }, { lang: 'en-US' })?.phone).toBe(telephone);
  });

  it.each<[string, object, object?]>([
    ['too few digits', { telephone: '723456' }],
    ['too many', { telephone: '0123 4567 8901 2345' }],
    ['words', { telephone: 'room 020 7234 3456' }],
    ['one of a template', { telephone: '123-456-7890' }],
    ['an American number that cannot be', { telephone: '(555) 123-4567' }],
    ['one digit throughout', { telephone: '0000 000' }],
    ['a prefix that cannot be', { telephone: '+44 20 723' }],
    ['a known country', { telephone: '020 723', address: { ...LONDON, addressCountry: 'GB' } }],
    ['an American state', { telephone: '0207 234 3456', address: { addressRegion: 'IL' } }],
    ['a host of a country', { telephone: '0207 234 345612' }, { host: 'acme.co.uk' }],
  ])('is dropped for %s', (_, thing, page = {}) => {
    const listing = read(thing, page);
    expect(listing?.name).toBe('Acme');
    expect(listing).not.toHaveProperty('phone');
  });

  it('yields to a number that can be checked', () => {
    const body = '<a href="tel:+442072343456">+44 20 7234 3456</a>';
    expect(read({ telephone: '234 3456' }, { body })?.phone).toBe('+44 20 7234 3456');
  });
});

describe('an address of markup in one text', () => {
  it('is kept unchanged where its parts are not known', () => {
    const listing = read({ address: '12 MG Road, Bengaluru 560001, India' });
    expect(listing?.address).toBe('12 MG Road, Bengaluru 560001, India');
    expect(listing?._provenance.address).toEqual({ layer: 'json-ld', path: '$[0].address' });
  });

  it('is parsed where they are known', () => {
    expect(read({ address: '1 Oak St, Springfield, IL 62701' })).toMatchObject({
      address: '1 Oak St',
      city: 'Springfield',
      state: 'IL',
    });
  });

  it.each(['London', 'N/A', '-', '12, 34'])('is not %s', (address) => {
    expect(read({ address })).not.toHaveProperty('address');
  });
});
