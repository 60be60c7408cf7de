import { bareDomain } from '@app/search';
import type {
  Connector,
  ConnectorContext,
  ConnectorInput,
  ConnectorMatch,
  ConnectorParams,
  ConnectorRow,
} from '../port/connector.js';
import type { CompanyReport } from '../port/connector-sources.js';
import { keyOfFields } from '../port/identity-key.js';
import { usdPerRecord } from '../port/record-price.js';
import { resultsOfWork } from './results-of-work.js';
import { textsOfParam } from './list-params.js';
import {
  NUMBER,
  OBJECT,
  paramsSchema,
  rowSchema,
  STRING,
  STRINGS,
  textsParam,
} from './row-schemas.js';

const WIDTH = 3;
const MAX_DOMAINS = 200;
const MAX_DOMAIN_CHARS = 2_048;
const SAMPLE_DOMAINS = 2;
/** Technologies of one site, on average. */
const TECHNOLOGIES = 10;

const PARAMS = paramsSchema(
  { domains: textsParam('Domains or URLs of companies.', MAX_DOMAINS, MAX_DOMAIN_CHARS) },
  ['domains'],
);

interface CompanyKind {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly schema: Connector['schema'];
  readonly rowsPerCredit: number;
  readonly needsTechnologies: boolean;
  /** Rows of one site, on average. */
  readonly rowsPerSite: number;
  readonly keyOf: Connector['keyOf'];
  readonly match: Connector['match'];
  readonly rows: (company: CompanyReport) => readonly ConnectorRow[];
}

const ENRICHMENT: CompanyKind = {
  id: 'company_enrichment',
  title: 'Company enrichment',
  description:
    'Contacts, social profiles, technologies and people that a company shows on its site.',
  schema: rowSchema(
    {
      ...{ domain: STRING, title: STRING, description: STRING, emails: STRINGS, phones: STRINGS },
      ...{ social: OBJECT, technologies: STRINGS, team: STRINGS },
    },
    ['domain'],
  ),
  rowsPerCredit: 1,
  needsTechnologies: true,
  rowsPerSite: 1,
  keyOf: keyOfFields('domain'),
  // A domain alone is a company.
  match: (input) => matchDomains(input, /./, 0.4),
  rows: ({ domain, title, description, emails, phones, socials, team, technologies }) => [
    {
      domain,
      ...(title === null ? {} : { title }),
      ...(description === null ? {} : { description }),
      ...{ emails, phones, social: socials },
      technologies: technologies.map(({ name }) => name),
      team: team.map(({ name, role }) => (role === undefined ? name : `${name} (${role})`)),
    },
  ],
};

const TECHNOLOGY_LOOKUP: CompanyKind = {
  id: 'tech_lookup',
  title: 'Technology lookup',
  description: 'The technologies that sites are built with, one per row.',
  schema: rowSchema(
    { domain: STRING, name: STRING, category: STRING, confidence: NUMBER, version: STRING },
    ['domain', 'name'],
  ),
  rowsPerCredit: TECHNOLOGIES,
  needsTechnologies: true,
  rowsPerSite: TECHNOLOGIES,
  keyOf: keyOfFields('domain', 'name'),
  match: (input) =>
    matchDomains(
      input,
      /\b(?:tech(?:nolog(?:y|ies))?|stacks?|built (?:with|on)|runs? on|running|frameworks?|cms|power(?:s|ed)|software|us(?:es?|ed|ing)|analytics|librar(?:y|ies)|hosting|platform)\b/i,
      0.85,
    ),
  rows: ({ domain, technologies }) => technologies.map((one) => ({ domain, ...one })),
};

const CONTACTS: CompanyKind = {
  id: 'site_contacts',
  title: 'Contacts of sites',
  description: 'E-mail addresses, telephone numbers and social profiles that sites show.',
  schema: rowSchema(
    {
      ...{ domain: STRING, emails: STRINGS, phones: STRINGS, linkedin: STRING, twitter: STRING },
      ...{ facebook: STRING, instagram: STRING, youtube: STRING },
    },
    ['domain'],
  ),
  rowsPerCredit: 1,
  needsTechnologies: false,
  rowsPerSite: 1,
  keyOf: keyOfFields('domain'),
  match: (input) =>
    matchDomains(
      input,
      /\b(?:contacts?|e-?mails?|phones?|telephones?|social(?: media)?|reach|in touch|linkedin|twitter|facebook|instagram|youtube|(?:to|can i) call)\b/i,
      0.9,
    ),
  rows: ({ domain, emails, phones, socials }) => {
    const known = ['linkedin', 'twitter', 'facebook', 'instagram', 'youtube'];
    const profiles = known.flatMap((name) =>
      socials[name] === undefined ? [] : [[name, socials[name]] as const],
    );
    const isEmpty = emails.length + phones.length + profiles.length === 0;
    return isEmpty ? [] : [{ domain, emails, phones, ...Object.fromEntries(profiles) }];
  },
};

/** What sites say about their companies. */
export const COMPANY_CONNECTORS: readonly Connector[] = [
  ENRICHMENT,
  TECHNOLOGY_LOOKUP,
  CONTACTS,
].map(connectorOf);

function connectorOf(kind: CompanyKind): Connector {
  const { id, title, description, schema, keyOf, match, rowsPerSite } = kind;
  return {
    ...{ id, title, description, params: PARAMS, schema, keyOf, match },
    pricePerRecordUsd: usdPerRecord(kind.rowsPerCredit),
    async preview(params, context) {
      const domains = domainsOf(params);
      const rows: ConnectorRow[] = [];
      for await (const row of rowsOf(kind, domains.slice(0, SAMPLE_DOMAINS), context))
        rows.push(row);
      return { rows, estimatedRows: domains.length * rowsPerSite };
    },
    run: (params, context) => rowsOf(kind, domainsOf(params), context),
  };
}

async function* rowsOf(
  { rows, needsTechnologies: technologies }: CompanyKind,
  domains: readonly string[],
  { sources, signal }: ConnectorContext,
): AsyncGenerator<ConnectorRow> {
  const read = (domain: string) => sources.readCompany(domain, { technologies });
  for await (const company of resultsOfWork(domains, WIDTH, read)) {
    signal.throwIfAborted();
    if (company !== null) yield* rows(company);
  }
}

function domainsOf(params: ConnectorParams): readonly string[] {
  return [...new Set(textsOfParam(params, 'domains').flatMap((one) => bareDomain(one) ?? []))];
}

function matchDomains(
  { text, domains, urls }: ConnectorInput,
  about: RegExp,
  score: number,
): ConnectorMatch | null {
  const hosts = urls.flatMap((url) => bareDomain(url) ?? []);
  const all = [...new Set([...domains, ...hosts])];
  return all.length > 0 && about.test(text) ? { score, params: { domains: all } } : null;
}
