import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from '../http/fixed-answer.js';

/** The project's folder, and the compiled one: the documents have the same place in both. */
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** By group, in the order of the menu: name of the file in docs/, what it is about. */
const LISTED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'Start',
    {
      start: 'What Trawl is, the first request, all endpoints',
      'tutorial-answers': 'Tutorial: answer questions from the documentation of a product',
      'tutorial-prices': 'Tutorial: be told when a price changes',
      'tutorial-companies': 'Tutorial: a list of companies with their contacts and technologies',
      studio: 'The account page: try requests, follow crawls, watch pages',
      migrating: 'From Firecrawl, Crawlee, Jina Reader and Browserless',
    },
  ],
  [
    'Use the API',
    {
      endpoints: 'Scrape, extract, read documents, take screenshots',
      crawling: 'Lists of pages, whole sites, batches: options, scope, reasons',
      'content-use': 'What sites allow: search, answers, training; how to respect it',
      logins: 'Pages behind a login: saved cookies, recorded logins',
      jobs: 'Results, the URL report, search of stored pages, live events, web archives',
      webhooks: 'Events of jobs, signatures, retries',
      search: 'Search the web',
      companies: 'Contacts, brands and the company graph',
      technologies: 'How technologies of a page are found',
      scrapers: 'Listings of local businesses',
      connectors: 'Sources of rows: preview, pull, chat',
      feeds: 'Only what is new, by a schedule',
      accounts: 'Keys, limits, credits, plans',
    },
  ],
  [
    'Clients',
    {
      client: 'TypeScript and Python',
      cli: 'The command line',
      mcp: 'Tools for models',
      v2: 'The compatibility set of the API',
      'v2-clients': 'Clients that work with it',
    },
  ],
  [
    'Operate',
    {
      settings: 'Every setting with its default',
      fetching: 'Fetch methods, proxies, the egress guard',
      scaling: 'What to add first, and what a page costs',
      runbook: 'What to do when an alert fires',
      security: 'Accounts of the processes, isolation, ASVS',
      performance: 'What was measured, and how',
    },
  ],
  [
    'Inside',
    {
      architecture: 'How it is built, and why',
      'accounts-internals': 'Keys, limits, credits and the account page',
      'companies-internals': 'Enrichment, brands and the company graph',
    },
  ],
];

/** A document of the project. */
export interface DocumentText {
  /** In its address: /docs/:name */
  readonly name: string;
  readonly title: string;
  /** What it is about, in a few words. */
  readonly about: string;
  /** Markdown whose links lead to documents beside it: `jobs.md#results`. */
  readonly markdown: string;
}

export interface DocumentGroup {
  readonly title: string;
  /** For who builds Trawl, not for who uses it. */
  readonly isInternal: boolean;
  readonly documents: readonly DocumentText[];
}

/** Reads them all, once: they are part of the build. @throws Error if one is missing */
export const readDocuments = once((): readonly DocumentGroup[] =>
  LISTED.map(([title, names]) => ({
    title,
    isInternal: title === 'Inside',
    documents: Object.entries(names).map(([name, about]) => readDocument(name, about)),
  })),
);

export const IMAGES_FOLDER = path.join(ROOT, 'docs/images');

/** The README is the document to start with. */
const README = 'start';

function readDocument(name: string, about: string): DocumentText {
  const file = name === README ? 'README.md' : `docs/${name}.md`;
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const [heading = ''] = /^# .*$/m.exec(text) ?? [];
  const title = name === README ? 'Start' : heading.slice(2);
  return { name, title, about, markdown: readableAlone(text, path.posix.dirname(file)) };
}

const COMMENT = /^<!--[^>]*-->\n/gm;
const LINK = /\[([^\][]*)\]\(([^)\s]{1,500})\)/g;

/** Comments for tools are left out. Links lead to documents and images beside the document; to other files: their words. */
function readableAlone(text: string, folder: string): string {
  return text.replace(COMMENT, '').replace(LINK, (link, words: string, target: string) => {
    if (/^(?:[a-z]+:|#|\$)/.test(target)) return link;
    const [file = '', heading] = path.posix.normalize(`${folder}/${target}`).split('#');
    const anchor = heading === undefined ? '' : `#${heading}`;
    if (file === 'README.md') return `[${words}](${README}.md${anchor})`;
    if (file.startsWith('docs/')) return `[${words}](${file.slice('docs/'.length)}${anchor})`;
    return words;
  });
}
