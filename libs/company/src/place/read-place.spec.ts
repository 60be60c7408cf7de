import { readablePage } from '@app/content';
import { surveyCompanyPage } from '../page/page-survey.js';
import { joinPlaces } from './join-places.js';
import { readPlace } from './read-place.js';

const read = (body: string, path = '/') =>
  readPlace(
    surveyCompanyPage(readablePage(`<title>Acme</title>${body}`, `https://acme.com${path}`)),
  );
const jsonLd = (value: object) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

describe('readPlace', () => {
  it('reads the address of the homepage and the contact page, and of no other page', () => {
    const foot =
      '<h1>Acme</h1><footer>Acme, 12 Oak St, Springfield, IL 62701 (217) 544-0123</footer>';
    const place = { city: 'Springfield', state: 'IL', zip: '62701' };
    expect(read(foot)).toMatchObject(place);
    expect(read(foot, '/contact-us')).toMatchObject(place);
    expect(read(foot, '/blog/news')).toEqual({});
  });

  it.each<[unknown, object | undefined]>([
    [120, { least: 120, most: 120 }],
    ['120', { least: 120, most: 120 }],
    ['1,200', { least: 1200, most: 1200 }],
    ['11-50', { least: 11, most: 50 }],
    ['10000+', { least: 10_000 }],
    [
      { '@type': 'QuantitativeValue', value: 35 },
      { least: 35, most: 35 },
    ],
    [
      { '@type': 'QuantitativeValue', minValue: 51, maxValue: 200 },
      { least: 51, most: 200 },
    ],
    [{ '@type': 'QuantitativeValue', minValue: 51 }, { least: 51 }],
    [[{ value: 7 }], { least: 7, most: 7 }],
    [0, undefined],
    ['many', undefined],
    ['50-11', undefined],
    [99_999_999_999, undefined],
    [{ value: 'x'.repeat(100_000) }, undefined],
  ])('reads the number of employees %j', (numberOfEmployees, employees) => {
    const html = jsonLd({ '@type': 'Organization', name: 'Acme', numberOfEmployees });
    expect(read(html, '/blog').employees).toEqual(employees);
  });

  it('takes the number of no department', () => {
    const department = { '@type': 'Organization', name: 'Sales', numberOfEmployees: 3 };
    expect(read(jsonLd({ '@type': 'Organization', name: 'Acme', department }), '/x')).toEqual({});
  });
});

describe('joinPlaces', () => {
  it('takes the most complete address as a whole', () => {
    const home = { city: 'Austin', state: 'TX' };
    const contact = { street: '1 Elm St', city: 'Dallas', state: 'TX', zip: '75201' };
    expect(joinPlaces([home, contact, { ...home, employees: { least: 5 } }])).toEqual({
      ...contact,
      employees: { least: 5 },
    });
    expect(joinPlaces([])).toEqual({});
  });
});
