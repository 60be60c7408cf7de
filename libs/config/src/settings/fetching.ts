import { parseAllowPrivate, parseEgressDeny, parseSigningKeys } from '@app/egress';
import { FETCHER_QUEUES } from '@app/contracts';
import { address, checked, integer, listOf, oneOf, text, type Field } from '../fields.js';

/** Requests to the web, and how much of it a process does at a time. */
export const FETCHING_SETTINGS = {
  userAgent: text(
    'USER_AGENT',
    'User-Agent of every fetch; its first word selects the rules of robots.txt.',
    { fallback: 'TrawlBot/0.1 (+https://github.com/trawl/trawl)' },
  ),
  webBotAuthKeys: checked(
    'WEB_BOT_AUTH_KEYS',
    'Ed25519 private keys that sign requests to sites (Web Bot Auth), as PEM or JWK, one after the other or as a JWK Set: the first signs, all are published. Set it on the API and on the fetchers; empty: nothing is signed.',
    parseSigningKeys,
    { fallback: '', isSecret: true },
  ),
  webBotAuthUrl: address(
    'WEB_BOT_AUTH_URL',
    'https origin that signed requests name, and under which sites reach the API to fetch the public keys; default: PUBLIC_URL.',
    ['http://', 'https://'],
  ),
  webBotAuthFormat: oneOf(
    'WEB_BOT_AUTH_FORMAT',
    'How Signature-Agent is written: dictionary, as the current draft wants it, or string, as before, for sites that know only that.',
    ['dictionary', 'string'],
    { fallback: 'dictionary' },
  ),
  fetchAllowPrivate: checked(
    'FETCH_ALLOW_PRIVATE',
    'Private targets that may be fetched: comma-separated cidr:port for URLs with an address, host:port for a name. Never metadata addresses.',
    parseAllowPrivate,
    { fallback: '' },
  ),
  egressDeny: checked(
    'EGRESS_DENY',
    "Address ranges that are never fetched and get no webhooks, comma-separated CIDRs: public addresses that lead to your own network, such as those of a NAT or of the nodes of a cluster. Wins over FETCH_ALLOW_PRIVATE; addresses of the machine's own interfaces are always refused.",
    parseEgressDeny,
    { fallback: '' },
  ),
  fetchTimeoutMs: integer(
    'FETCH_TIMEOUT_MS',
    'Maximum time of one crawled page, all steps together.',
    { fallback: 30_000, min: 1_000, max: 600_000 },
  ),
  fetchMaxBytes: integer(
    'FETCH_MAX_BYTES',
    'Bytes read of one page after decompression; the result names the cut.',
    { fallback: 10_485_760, min: 1_024, max: 268_435_456 },
  ),
  scrapeTimeoutMs: integer(
    'SCRAPE_TIMEOUT_MS',
    'Deadline of one scrape, screenshot or enrichment; requested waits and the time of a model are added. Maps have at most 25 s of it, brands 30 s.',
    {
      fallback: 60_000,
      min: 1_000,
      max: 600_000,
    },
  ),
  batchTimeoutMs: integer(
    'BATCH_TIMEOUT_MS',
    'How long a batch without async starts further pages; each started page has SCRAPE_TIMEOUT_MS.',
    { fallback: 600_000, min: 1_000, max: 86_400_000 },
  ),
  fetcherQueues: listOf(
    'FETCHER_QUEUES',
    'Queues that a fetcher takes tasks from, comma-separated: scrape, screenshot, convert, map, enrich, brand, search, crawl; empty: all. Fetchers of one deployment together must take from all of them.',
    FETCHER_QUEUES,
    { fallback: [] },
  ),
  deletionCostPod: text(
    'DELETION_COST_POD',
    'Name of the pod this fetcher runs in: it then writes the number of its tasks into the deletion cost of that pod, so that fewer fetchers keep the busy ones. Its account needs the right to patch pods.',
    { fallback: '' },
  ),
  scrapeConcurrency: integer(
    'SCRAPE_CONCURRENCY',
    'Scrapes of one tenant that a fetcher works on at once; half as many more are for other tenants, and the free plan gets at most half of it.',
    { fallback: 8, min: 1, max: 1_000 },
  ),
  callConcurrency: integer(
    'CALL_CONCURRENCY',
    'The same for each other kind of call that waits for a response: screenshots, uploads, maps, enrichments, brands, searches.',
    { fallback: 8, min: 1, max: 1_000 },
  ),
  crawlConcurrency: integer('CRAWL_CONCURRENCY', 'Crawl pages one fetcher works on at once.', {
    fallback: 16,
    min: 1,
    max: 1_000,
  }),
  crawlQueueTarget: integer(
    'CRAWL_QUEUE_TARGET',
    'Maximum number of crawl pages that wait in the broker, beside a quarter of those in work. The others wait in the database, where cancel and fairness apply to them.',
    { fallback: 64, min: 1, max: 100_000 },
  ),
  contentThreads: integer(
    'CONTENT_THREADS',
    'Threads that convert pages in one fetcher, and as many again that prepare text for models. Of several, one is reserved for short pages of tenants with little recent use. 0: one for each processor, at least two.',
    { fallback: 0, min: 0, max: 256 },
  ),
} as const satisfies Record<string, Field<unknown>>;
