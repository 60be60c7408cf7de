/** Kinds of sites that a search can be limited to (specification: POST /v1/search, `categories`). */
export const SEARCH_CATEGORIES = ['github', 'research', 'pdf'] as const;
export type SearchCategory = (typeof SEARCH_CATEGORIES)[number];

/** The parts of a request that become operators. */
export interface QueryTerms {
  readonly query: string;
  /** Bare hosts. */
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
  readonly categories: readonly SearchCategory[];
}

/** Sites of preprints and scholarly articles. */
const RESEARCH_SITES = [
  'arxiv.org',
  'biorxiv.org',
  'medrxiv.org',
  'scholar.google.com',
  'semanticscholar.org',
  'pubmed.ncbi.nlm.nih.gov',
  'hal.science',
];

const OPERATORS: Readonly<Record<SearchCategory, readonly string[]>> = {
  github: ['site:github.com'],
  research: RESEARCH_SITES.map((site) => `site:${site}`),
  pdf: ['filetype:pdf'],
};

/**
 * The query as backends get it. Operators in the caller's own text stay as they are. Several domains are alternatives, and so
 * are several categories: a result fits one domain and one category.
 */
export function effectiveQuery(terms: QueryTerms): string {
  const { query, includeDomains, excludeDomains, categories } = terms;
  return [
    query.replace(/\s+/g, ' ').trim(),
    anyOf(includeDomains.map((domain) => `site:${domain}`)),
    anyOf(categories.flatMap((category) => OPERATORS[category])),
    ...excludeDomains.map((domain) => `-site:${domain}`),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function anyOf(operators: readonly string[]): string {
  return operators.length > 1 ? `(${operators.join(' OR ')})` : operators.join('');
}
