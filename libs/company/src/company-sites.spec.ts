import { type CompanySite, loadCompanySites } from '@app/testing';
import { readableFixture } from './fixtures/readable-page.js';
import { type Company, joinCompanyPages } from './join-company-pages.js';
import { readCompanyPage } from './read-company-page.js';

const FIELDS = ['emails', 'phones', 'social', 'team', 'roles'] as const;
type Field = (typeof FIELDS)[number];

interface Counts {
  right: number;
  wrong: number;
  missed: number;
}

const sites = loadCompanySites();

function readSite({ labels, pages }: CompanySite): Company {
  const read = [...pages].map(([path, html]) =>
    readCompanyPage(readableFixture(html, `https://www.${labels.domain}${path}`)),
  );
  return joinCompanyPages(read, { domain: labels.domain });
}

const foundIn = ({ emails, phones, socials, team }: Company): Record<Field, readonly string[]> => ({
  emails: emails.map((email) => email.toLowerCase()),
  phones,
  social: Object.entries(socials).map(([network, url]) => `${network} ${url.toLowerCase()}`),
  team: team.map(({ name }) => name),
  roles: team.map(({ name, role }) => `${name}: ${role?.toLowerCase()}`),
});

const wantedOf = ({ labels }: CompanySite): Record<Field, readonly string[]> => ({
  emails: labels.emails,
  phones: labels.phones,
  social: Object.entries(labels.socials).map(([network, url]) => `${network} ${url.toLowerCase()}`),
  team: labels.team.map(([name]) => name),
  roles: labels.team.map(([name, role]) => `${name}: ${role.toLowerCase()}`),
});

function measure() {
  const counts = new Map<Field, Counts>();
  const errors: string[] = [];
  for (const site of sites) {
    const found = foundIn(readSite(site));
    const wanted = wantedOf(site);
    for (const field of FIELDS) {
      const right = found[field].filter((one) => wanted[field].includes(one));
      const wrong = found[field].filter((one) => !wanted[field].includes(one));
      const missed = wanted[field].filter((one) => !found[field].includes(one));
      const known = counts.get(field) ?? { right: 0, wrong: 0, missed: 0 };
      counts.set(field, {
        right: known.right + right.length,
        wrong: known.wrong + wrong.length,
        missed: known.missed + missed.length,
      });
      errors.push(...wrong.map((one) => `${site.name}: ${field} + ${one}`));
      errors.push(...missed.map((one) => `${site.name}: ${field} - ${one}`));
    }
  }
  return { counts, errors };
}

const precisionOf = ({ right, wrong }: Counts): number => right / (right + wrong);
const recallOf = ({ right, missed }: Counts): number => right / (right + missed);

describe('companies of the fixture', () => {
  const { counts, errors } = measure();

  it('are measured field by field', () => {
    const rows = [...counts].map(([field, of]) =>
      [
        field.padEnd(7),
        `right ${of.right}`,
        `wrong ${of.wrong}`,
        `missed ${of.missed}`,
        `precision ${precisionOf(of).toFixed(4)}`,
        `recall ${recallOf(of).toFixed(4)}`,
      ].join('  '),
    );
    console.info([`${sites.length} sites`, ...rows, ...errors].join('\n'));
    expect(sites.length).toBeGreaterThanOrEqual(40);
    expect([...counts.values()].every(({ right }) => right >= 60)).toBe(true);
  });

  it.each(FIELDS)('are read right: %s', (field) => {
    const of = counts.get(field) ?? { right: 0, wrong: 1, missed: 1 };
    const short = errors.filter((error) => error.includes(`: ${field} `));
    expect({ isPrecise: precisionOf(of) >= 0.98, short }).toEqual({ isPrecise: true, short });
    expect({ isFound: recallOf(of) >= 0.95, short }).toEqual({ isFound: true, short });
  });
});
