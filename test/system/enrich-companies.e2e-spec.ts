import { startCompanySites, type CompanyLabels, type CompanyServers } from '@app/testing';
import { EnrichFixture, type EnrichBody } from './enrich-run.js';
import { MODES } from './deployment.js';
import { share } from './shared-cluster.js';

type Field = 'emails' | 'phones' | 'social' | 'team';

/** Of a field over all sites: the part of the results that is right, and the part of the true values that was found. */
const LEAST = { precision: 0.95, recall: 0.9 };

const expectedOf = ({ emails, phones, socials, team }: CompanyLabels) => ({
  emails: emails.map((email) => email.toLowerCase()),
  phones,
  social: Object.entries(socials).map((one) => one.join(' ')),
  team: team.map(([name]) => name),
});

const foundOf = ({ emails, phones, social, team }: EnrichBody) => ({
  emails: emails.map((email) => email.toLowerCase()),
  phones,
  social: Object.entries(social).map((one) => one.join(' ')),
  team: team.map(({ name }) => name),
});

/** Counts results and true values, field by field. */
class Score {
  private right = 0;
  private found = 0;
  private there = 0;

  add(expected: readonly string[], found: readonly string[]): void {
    const wanted = new Set(expected);
    this.right += found.filter((one) => wanted.has(one)).length;
    this.found += found.length;
    this.there += expected.length;
  }

  get precision(): number {
    return this.right / this.found;
  }

  get recall(): number {
    return this.right / this.there;
  }
}

describe.each(MODES)('enrichment of small companies, %s', (mode) => {
  let run: EnrichFixture;
  let companies: CompanyServers;

  beforeAll(async () => {
    companies = await startCompanySites();
    run = await EnrichFixture.on(await share(mode));
  });
  afterAll(async () => {
    await run?.stop();
    await companies?.close();
  });

  it('finds the labelled data of the sites', async () => {
    const fields: readonly Field[] = ['emails', 'phones', 'social', 'team'];
    const scores = new Map(fields.map((field) => [field, new Score()]));
    const wrong: string[] = [];
    for (const { name, labels, url } of companies.sites) {
      const body = await run.enrich({ domain: url, includeTech: false, maxPages: 20 });
      const [expected, found] = [expectedOf(labels), foundOf(body)];
      for (const field of fields) {
        scores.get(field)?.add(expected[field], found[field]);
        const isSame = found[field].toSorted().join() === expected[field].toSorted().join();
        if (!isSame) wrong.push(`${name} ${field}: ${found[field]} for ${expected[field]}`);
      }
    }
    const low = [...scores].filter(
      ([, score]) => score.precision < LEAST.precision || score.recall < LEAST.recall,
    );
    const shown = low.map(([field, { precision, recall }]) => ({ field, precision, recall }));
    expect({ shown, wrong: low.length === 0 ? [] : wrong }).toEqual({ shown: [], wrong: [] });
  });
});
