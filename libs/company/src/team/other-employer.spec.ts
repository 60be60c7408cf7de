import { readableFixture } from '../fixtures/readable-page.js';
import { readCompanyPage } from '../read-company-page.js';
import { rolesElsewhere } from './people-of-lines.js';

const namesOf = (path: string, html: string): readonly string[] =>
  readCompanyPage(readableFixture(html, `https://www.acme.com${path}`)).team.map(
    ({ name }) => name,
  );

const person = (name: string, role: string): string => `<h3>${name}</h3><p>${role}</p>`;

describe('people of other companies', () => {
  it.each([
    [
      'who are quoted under a heading of teams',
      '/about',
      `<h2>Our team</h2>${person('Priya Nair', 'Head of Data')}<h2>Loved by teams everywhere</h2>${person('Dana White', 'VP of Engineering at Contoso')}`,
      ['Priya Nair'],
    ],
    [
      'who are quoted between the others',
      '/team',
      `${person('Lena Fischer', 'Managing Partner')}<p>They rebuilt our shop.</p>${person('Oscar Lund', 'CTO, Nordwind GmbH')}`,
      ['Lena Fischer'],
    ],
    [
      'in a list',
      '/team',
      '<ul><li>Sam Okoye, CFO</li><li>Rita Meyer, Founder of Bluebird Inc.</li></ul>',
      ['Sam Okoye'],
    ],
    [
      'in a list of customers, also the one whose role names none',
      '/team',
      `${person('Ann Reynolds', 'Design Lead, MetaLab')}${person('Alexis Moore', 'Founder, SevenSix')}${person('Rob Hope', 'Product designer')}`,
      [],
    ],
    [
      'under a heading about teams of others',
      '/',
      `<h2>Millions of people choose Acme</h2>${person('Dana White', 'Director')}<h2>Built for every team</h2>${person('Oscar Lund', 'CTO')}`,
      [],
    ],
    ['on a page of testimonials', '/about/testimonials/', person('Dana White', 'Director'), []],
    [
      'in cards that only a class puts under the people',
      '/',
      '<div class=profile-card><h3>Social Worries</h3><p>Low Spirits</p></div>',
      [],
    ],
  ])('are left out: %s', (_, path, html, names) => {
    expect(namesOf(path, html)).toEqual(names);
  });

  it('are not leaders whom their classes name, on any page', () => {
    const card = '<div class=leaders__leader><h3 class=leaders__leader-name>Ines Roy</h3></div>';
    const lead = `<div class=leaders__leader><h3 class=leaders__leader-name>Tom Acker</h3><p>CTO, Security</p></div>`;
    expect(namesOf('/security', card + lead)).toEqual(['Ines Roy', 'Tom Acker']);
  });

  it('are not those whose role names the company itself', () => {
    const html = person('Tom Acker', 'Co-founder at Acme') + person('Ines Roy', 'CTO, Acme Inc.');
    expect(namesOf('/team', html)).toEqual(['Tom Acker', 'Ines Roy']);
  });

  it('are not several people of one company on a site with another name', () => {
    const roles = ['CEO at Smith & Sons', 'CTO at Smith & Sons', 'VP at Contoso', 'Cook'];
    expect([...rolesElsewhere(roles, 'https://ssplumbing.com/team')]).toEqual(['VP at Contoso']);
  });
});

describe('capitalised phrases on pages about a company', () => {
  it.each([
    ['Instant Onboarding', 'Every manager gets a guide'],
    ['Workflow Automation', 'Consultant tooling'],
    ['Operational Resilience', 'Director dashboards'],
    ['Seamless Integrations', 'Engineers on call'],
    ['Network Visibility', 'Analyst reports'],
  ])('are no names: %s', (phrase, line) => {
    expect(namesOf('/about', `<h1>About us</h1>${person(phrase, line)}`)).toEqual([]);
  });

  it('leave names with such ends alone', () => {
    const html = person('Kim Sessions', 'President') + person('Ann Clements', 'Counsel');
    expect(namesOf('/team', html)).toEqual(['Kim Sessions', 'Ann Clements']);
  });
});
