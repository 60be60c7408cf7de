import type { TeamMember } from '../enrichment.js';
import { jsonLd, readableFixture } from '../fixtures/readable-page.js';
import { MAX_TEAM } from '../limits.js';
import { readCompanyPage } from '../read-company-page.js';

const at = (path: string): string => `https://acme.com${path}`;
const teamOf = (html: string, path = '/team'): readonly TeamMember[] =>
  readCompanyPage(readableFixture(html, at(path))).team;

const ANNA = [{ name: 'Anna Lee', role: 'CEO' }];

describe('people in text', () => {
  it.each([
    ['a heading and a line', '<h3>Anna Lee</h3><p>CEO</p>'],
    ['a role above the name', '<h4>CEO</h4><h3>Anna Lee</h3><p>Anna came in 2019. She stays.</p>'],
    ['bold and a break', '<p><b>Anna Lee</b><br>CEO</p>'],
    ['a comma', '<ul><li>Anna Lee, CEO</li></ul>'],
    ['a dash', '<p>Anna Lee – CEO</p>'],
    ['brackets', '<p>Anna Lee (CEO)</p>'],
    ['a colon', '<p>CEO: Anna Lee</p>'],
    ['inline elements', '<div><span>Anna Lee</span><span>CEO</span></div>'],
    ['a definition list', '<dl><dt>Anna Lee</dt><dd>CEO</dd></dl>'],
    ['a definition list of roles', '<dl><dt>CEO</dt><dd>Anna Lee</dd></dl>'],
    ['a row', '<table><tr><td>Anna Lee</td><td>CEO</td><td>312-555-0142</td></tr></table>'],
    ['a badge between', '<h3>Anna Lee</h3><p>New!</p><p>CEO</p>'],
    ['paragraphs alone', '<p>Anna Lee</p><p>CEO</p>'],
  ])('are read: %s', (_, html) => {
    expect(teamOf(`<h1>Our Team</h1>${html}`)).toEqual(ANNA);
  });

  it.each([
    ['a team page', '/team', ''],
    ['a page of another language', '/ueber-uns/ansprechpartner', ''],
    ['a part of the front page', '/', '<h2>Meet our team</h2>'],
    ['an about page', '/about-us', ''],
    ['a contact page', '/kontakt.html', ''],
  ])('are looked for on %s', (_, path, heading) => {
    expect(teamOf(`${heading}<h3>Anna Lee</h3><p>CEO</p>`, path)).toEqual(ANNA);
  });

  it.each([
    ['the front page', '/', '<h3>Anna Lee</h3><p>CEO</p>'],
    [
      'another part of it',
      '/',
      '<h2>Our team</h2><p>Good folks.</p><h2>Recent work</h2><h3>Anna Lee</h3><p>CEO</p>',
    ],
    ['testimonials', '/team', '<h2>What our clients say</h2><h3>Anna Lee</h3><p>CEO, Foo Ltd</p>'],
    [
      'a testimonial by class',
      '/about',
      '<div class="testimonial"><h3>Anna Lee</h3><p>CEO</p></div>',
    ],
    [
      'who said a quotation',
      '/team',
      '<p>“We could not be happier with how this went.”</p><h3>Anna Lee</h3><p>CEO</p>',
    ],
    [
      'who said a marked quotation',
      '/team',
      '<figure><blockquote>So good.</blockquote><figcaption><div>Anna Lee</div><div>CEO</div></figcaption></figure>',
    ],
    ['authors', '/team', '<div class="post-card"><h3>Anna Lee</h3><p>Editor</p></div>'],
    ['investors', '/about', '<h2>Investors</h2><h3>Anna Lee</h3><p>Partner, Seed Fund</p>'],
    ['navigation', '/team', '<nav><h3>Anna Lee</h3><p>CEO</p></nav>'],
    [
      'headings that are no names',
      '/team',
      '<h3>Great Values</h3><p>Manager on duty</p><h3>Free Delivery</h3>',
    ],
    ['names without a role outside of cards', '/team', '<p>Anna Lee</p><p>Tom Ray</p>'],
  ])('are not: %s', (_, path, html) => {
    expect(teamOf(html, path)).toEqual([]);
  });

  it('count without a role beside two of their form that have one', () => {
    const html =
      '<h3>Anna Lee</h3><p>CEO</p><h3>Tom Ray</h3><p>CTO</p><h3>Sue Fox</h3><img src="x.jpg"><h4>Jim Dee</h4>';
    expect(teamOf(html).map(({ name }) => name)).toEqual(['Anna Lee', 'Tom Ray', 'Sue Fox']);
  });

  it('have roles that no list knows where others have their form', () => {
    const html = '<h3>Anna Lee</h3><p>CEO</p><h3>Tom Ray</h3><p>Front of house</p>';
    expect(teamOf(html)).toEqual([...ANNA, { name: 'Tom Ray', role: 'Front of house' }]);
  });

  it('are named by the mandatory part of imprints', () => {
    const html = '<p>Acme GmbH<br>Geschäftsführer: Max Huber und Eva Klein<br>HRB 1234</p>';
    expect(teamOf(html, '/impressum')).toEqual([
      { name: 'Max Huber', role: 'Geschäftsführer' },
      { name: 'Eva Klein', role: 'Geschäftsführer' },
    ]);
  });

  it('are each once, and bounded', () => {
    const name = (n: number): string =>
      `Anna ${String.fromCharCode(65 + (n % 26))}${'abcdefghijklmnopqrstuvwxyz'[Math.floor(n / 26)]}e`;
    const many = Array.from({ length: 400 }, (_, n) => `<h3>${name(n)}</h3><p>Engineer</p>`);
    const twice = '<h3>Dr. Anna Lee</h3><p>CEO</p><h3>ANNA LEE, MBA</h3><p>Founder</p>';
    expect(teamOf(twice)).toEqual(ANNA);
    expect(teamOf(many.join(''))).toHaveLength(MAX_TEAM);
  });
});

describe('people in JSON-LD', () => {
  const person = {
    '@type': 'Person',
    name: 'Anna Lee',
    jobTitle: 'CEO',
    email: 'mailto:anna@acme.com',
  };
  const full = [{ name: 'Anna Lee', role: 'CEO', email: 'anna@acme.com' }];

  it.each<[string, unknown]>([
    ['an employee', { '@type': 'Dentist', employee: person }],
    ['founders', { '@type': 'Organization', founder: [person] }],
    [
      'members',
      {
        '@type': 'Organization',
        member: {
          '@type': 'OrganizationRole',
          roleName: 'CEO',
          member: { ...person, jobTitle: undefined },
        },
      },
    ],
    [
      'a reference',
      {
        '@graph': [
          { '@type': 'Organization', employee: { '@id': '#a' } },
          { '@id': '#a', ...person },
        ],
      },
    ],
    ['on its own', person],
    ['a profile page', { '@type': 'ProfilePage', mainEntity: person }],
    ['a list', { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: person }] }],
    [
      'a name in parts',
      {
        '@type': 'Organization',
        employee: { ...person, name: undefined, givenName: 'Anna', familyName: 'Lee' },
      },
    ],
  ])('are read: %s', (_, value) => {
    expect(teamOf(jsonLd(value), '/')).toEqual(full);
  });

  it.each<[string, unknown]>([
    ['an author', { '@type': 'BlogPosting', author: person }],
    [
      'a referenced author',
      {
        '@graph': [
          { '@type': 'Article', author: { '@id': '#a' } },
          { '@id': '#a', ...person },
        ],
      },
    ],
    ['a reviewer', { '@type': 'Store', review: [{ author: person }] }],
    ['a person without a job', { '@type': 'Person', name: 'Anna Lee' }],
    [
      'a name that is none',
      { '@type': 'Organization', employee: { '@type': 'Person', name: 'admin' } },
    ],
  ])('are not: %s', (_, value) => {
    expect(teamOf(jsonLd(value), '/')).toEqual([]);
  });

  it('keep their role and address where the text names them, too', () => {
    const html = `${jsonLd({ '@type': 'Organization', employee: [person] })}<h3>Anna Lee</h3><p>Founder</p>`;
    expect(teamOf(html)).toEqual(full);
  });
});
