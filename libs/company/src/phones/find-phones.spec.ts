import { jsonLd, readableFixture } from '../fixtures/readable-page.js';
import { joinCompanyPages } from '../join-company-pages.js';
import { readCompanyPage } from '../read-company-page.js';

const phonesOf = (html: string, url = 'https://acme.com/'): readonly string[] =>
  joinCompanyPages([readCompanyPage(readableFixture(html, url))], { domain: 'acme.com' }).phones;

describe('phone numbers', () => {
  it.each([
    '(312) 555-0142',
    '312-555-0142',
    '312.555.0142',
    '312 555 0142',
    '(312)555-0142',
    '1-312-555-0142',
    '+1 312 555 0142',
    '+1 (312) 555-0142',
    '+13125550142',
    '1 (800) 555-0142',
    '1-800-FLOWERS',
    '+49 30 23125014',
    '+44 20 7946 0321',
    '+49 (0)30 23125-014',
  ])('keep their format: %s', (text) => {
    expect(phonesOf(`<p>Call ${text} now</p>`)).toEqual([text]);
  });

  it.each([
    ['a link named by its number', '<a href="tel:+13125550142">312.555.0142</a>', '312.555.0142'],
    [
      'a link with words around the number',
      '<a href="tel:3125550142">Call us: (312) 555-0142 today</a>',
      '(312) 555-0142',
    ],
    ['a link of words', '<a href="tel:+1-312-555-0142">Call us</a>', '+1-312-555-0142'],
    ['an encoded link', '<a href="tel:(312)%20555-0142">Call</a>', '(312) 555-0142'],
    ['a link with parameters', '<a href="tel:+13125550142;ext=7">Call</a>', '+13125550142'],
    ['a link with an extension', '<a href="tel:312-555-0142,7">Call</a>', '312-555-0142'],
    ['a link of a word', '<a href="tel:18003569377">1-800-FLOWERS</a>', '1-800-FLOWERS'],
    ['a link without its country', '<a href="tel:+3125550142">312-555-0142</a>', '312-555-0142'],
    [
      'text before a link',
      '<a href="tel:3125550142">Call</a><p>(312) 555-0142</p>',
      '(312) 555-0142',
    ],
    [
      'text before JSON-LD',
      jsonLd({ '@type': 'Store', telephone: '+13125550142' }) + '<p>312 555 0142</p>',
      '312 555 0142',
    ],
    ['JSON-LD alone', jsonLd({ '@type': 'Store', telephone: 'tel:312-555-0142' }), '312-555-0142'],
    [
      'an extension left off',
      '<p>(312) 555-0142 ext. 12, (312) 555-0142 x15</p>',
      '(312) 555-0142',
    ],
    ['bare digits with a label', '<p>Phone: 3125550142</p>', '3125550142'],
    [
      'a label in the cell before',
      '<table><tr><th>Tel</th><td>3125550142</td></tr></table>',
      '3125550142',
    ],
    ['phone and fax in one', '<p>Phone/Fax: 312-555-0142</p>', '312-555-0142'],
    [
      'fax in one place, phone in another',
      '<p>Fax 312-555-0142</p><p>Phone 312-555-0142</p>',
      '312-555-0142',
    ],
  ])('are read: %s', (_, html, shown) => {
    expect(phonesOf(html)).toEqual([shown]);
  });

  it.each([
    'Fax: (312) 555-0142',
    'F 312-555-0142',
    'Telefax +1 312 555 0142',
    '(312) 555-0142 (fax)',
    '<dl><dt>Fax</dt><dd>312-555-0142</dd></dl>',
    '<table><tr><td>Facsimile</td><td>312-555-0142</td></tr></table>',
    '<a href="tel:3125550142">Fax: 312-555-0142</a>',
    'Fax <a href="tel:3125550142">312-555-0142</a>',
    '<span class="fax"><a href="tel:3125550142">312-555-0142</a></span>',
    'Order # 312-555-0142',
    'Your order number (for example 312-555-0142)',
    'SKU: 312-555-0142',
    'License No. 312-555-0142',
    'Policy number 312-555-0142-1',
    'Ticket 312-555-0142-A',
    '3125550142',
    'NPI 3125550142',
    '2024-05-12, 05/12/2024, 12.05.2024',
    '41.8781, -87.6298',
    '192.168.100.200',
    '$312,555,014.22',
    '555-555-5555 123-456-7890 (555) 123-4567 000-000-0000',
    'Call 911 or 988',
    'In need, the National Suicide Prevention Lifeline answers at 1-800-273-8255',
    'Aufsichtsbehörde: Kammer, Tel. +49 89 157902-0',
    '978-0-306-40615-7',
    'GS-312-555-0142',
    '<div class="testimonial">Call me: 312-555-0142</div>',
    jsonLd({ '@type': 'Store', faxNumber: '312-555-0142' }),
  ])('are none: %s', (html) => {
    expect(phonesOf(`<p>${html}</p>`)).toEqual([]);
  });

  it('of a number with both marks on two pages is a telephone', () => {
    const page = (html: string) => readCompanyPage(readableFixture(html));
    const join = (...htmls: readonly string[]) =>
      joinCompanyPages(htmls.map(page), { domain: 'acme.com' }).phones;
    expect(join('<p>312-555-0142</p>', '<p>Fax 312-555-0142</p>')).toEqual([]);
    expect(join('<p>Fax 312-555-0142</p>', '<p>Phone 312-555-0142</p>')).toEqual(['312-555-0142']);
  });

  it('are each once, in the order of the page', () => {
    const html =
      '<p>(312) 555-0142</p><p>773-555-0143</p><p>312.555.0142</p><a href="tel:+17735550143">x</a>';
    expect(phonesOf(html)).toEqual(['(312) 555-0142', '773-555-0143']);
  });

  it.each([
    ['Germany', 'de', 'https://acme.de/', 'Tel. 030 23125-014, Fax 030 23125-015', '030 23125-014'],
    ['France', 'fr', 'https://acme.fr/', 'Téléphone : 01 42 68 53 00', '01 42 68 53 00'],
    ['Spain', 'es', 'https://acme.es/', 'Teléfono: 931 23 01 45', '931 23 01 45'],
    ['Japan', 'ja', 'https://acme.co.jp/', 'TEL 03-5555-0123 FAX 03-5555-0124', '03-5555-0123'],
    [
      'the United States in British English',
      'en-gb',
      'https://acme.com/',
      'Call 415-555-0108',
      '415-555-0108',
    ],
  ])('in the form of %s are read where a label says so', (_, lang, url, text, shown) => {
    expect(phonesOf(`<html lang="${lang}"><p>${text}</p>`, url)).toEqual([shown]);
  });

  it('of other countries are none of dates and hours, which look alike', () => {
    const html = '<html lang="de"><p>01.02.2024, 09.00 - 18.00, Tel. täglich 08.00 - 12.00</p>';
    expect(phonesOf(html, 'https://acme.de/')).toEqual([]);
  });
});
