import { randomUUID } from 'node:crypto';
import {
  seededRandom,
  startFixtureSite,
  startWebhookReceiver,
  until,
  type FixtureSite,
  type JobResponse,
  type SeededRandom,
  type WebhookReceiver,
} from '@app/testing';
import { LIST_PAGES, ListSite } from './batch-run.js';
import type { Deployment } from './deployment.js';

/** Milliseconds a page of the tree takes: long enough that kills hit pages in flight. */
const TREE_MS = 60;
const LIST_MS = 40;
/** Time in which a webhook is answered, so that kills hit some on their way. */
const RECEIVER_MS = 150;
/** A request whose process died keeps its Idempotency-Key for 30 s, and may meet the next kill. */
const TAKEN_MS = 240_000;
const ANSWER_MS = 15_000;

/** What jobs work on: a tree to crawl, a site of listed pages for batches, and a receiver. */
export class FaultGround {
  private constructor(
    readonly tree: FixtureSite,
    readonly lists: FixtureSite,
    readonly hook: WebhookReceiver,
  ) {}

  /** @param treePages addresses of the tree; more than any crawl of it keeps */
  static async start(treePages = 2_000): Promise<FaultGround> {
    const tree = await startFixtureSite({ treePages, latencyMs: TREE_MS });
    const lists = await startFixtureSite();
    new ListSite(lists).ms = LIST_MS;
    const hook = await startWebhookReceiver({ slowMs: RECEIVER_MS });
    hook.mode = 'slow';
    return new FaultGround(tree, lists, hook);
  }

  async close(): Promise<void> {
    await Promise.all([this.tree.close(), this.lists.close(), this.hook.close()]);
  }
}

/** A request that starts a job, as a careful client sends it. */
interface SentRequest {
  readonly path: '/v1/crawl' | '/v1/batch';
  readonly key: string;
  readonly body: object;
}

/** A job that was taken. */
export interface FaultJob {
  readonly id: string;
  readonly asked: SentRequest;
  /** The list of a batch; null: a crawl. */
  readonly urls: readonly string[] | null;
}

/** The jobs of one run. */
export class FaultJobs {
  private readonly random: SeededRandom;
  private readonly batches: Promise<FaultJob>[] = [];

  constructor(
    private readonly ground: FaultGround,
    private readonly service: Deployment,
    seed: number,
  ) {
    this.random = seededRandom(seed);
  }

  crawl(limit: number): Promise<FaultJob> {
    return this.start('/v1/crawl', null, {
      url: this.ground.tree.url('/tree/0'),
      limit,
      allowBackwardLinks: true,
      // A sitemap would name every page, and a lost link would not show.
      sitemap: 'skip',
      scrapeOptions: { formats: ['markdown', 'links'] },
    });
  }

  /** Requests a batch without waiting for the response; see {@link started}. */
  beginBatch(size: number): void {
    const urls = mixedList(this.random, this.ground.lists, size);
    const job = this.start('/v1/batch', urls, { urls, async: true });
    // {@link started} reports the error; without a handler until then the process would end.
    job.catch(() => undefined);
    this.batches.push(job);
  }

  /** The batches, once the API has accepted each. */
  started(): Promise<FaultJob[]> {
    return Promise.all(this.batches);
  }

  private async start(
    path: SentRequest['path'],
    urls: readonly string[] | null,
    fields: object,
  ): Promise<FaultJob> {
    const body = { ...fields, webhook: this.ground.hook.url };
    const asked = { path, key: randomUUID(), body };
    return { id: await sendTwice(this.service, asked), asked, urls };
  }
}

/** Two clients at a time send the same request again and again until it is taken: it is one job. */
export async function sendTwice(service: Deployment, asked: SentRequest): Promise<string> {
  const ids = await Promise.all([sendUntilTaken(service, asked), sendUntilTaken(service, asked)]);
  expect(ids[0]).toBe(ids[1]);
  return ids[0];
}

/** Repeats a request like a client that does not know the result of its last try. */
async function sendUntilTaken(service: Deployment, asked: SentRequest): Promise<string> {
  const answer = await until(() => lastStatus(service, asked), {
    what: `POST ${asked.path} to be taken`,
    timeoutMs: TAKEN_MS,
    intervalMs: 200,
  });
  expect(answer).toMatchObject({ status: 202, body: { jobId: expect.any(String) } });
  return (answer.body as { jobId: string }).jobId;
}

/** Null for a response after which a retry may succeed; throws while no process answers. */
async function lastStatus(
  service: Deployment,
  { path, key, body }: SentRequest,
): Promise<{ readonly status: number; readonly body: unknown } | null> {
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      'x-api-key': service.key,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await answer.text();
  const isRunning = answer.status === 409 && answer.headers.has('retry-after');
  if (isRunning || answer.status >= 500) return null;
  return { status: answer.status, body: JSON.parse(text) as unknown };
}

/** How an address of a {@link mixedList} ends. */
export function endOf(url: string): 'scraped' | 'failed' | 'skipped' {
  const { pathname } = new URL(url);
  if (pathname.startsWith('/status/')) return 'failed';
  return pathname.startsWith('/private/') ? 'skipped' : 'scraped';
}

/** Number of the list page that an address of a {@link mixedList} shows. */
export function listPageOf(url: string): number {
  const { pathname, searchParams } = new URL(url);
  return Number((searchParams.get('to') ?? pathname).split('/').at(-1));
}

/** Of every twelve addresses one fails, one is forbidden by robots.txt, one redirects and one was named before. */
function mixedList(random: SeededRandom, site: FixtureSite, size: number): string[] {
  const urls: string[] = [];
  const from = random.int(0, LIST_PAGES - 1);
  const page = (n: number): string => `/list/${(from + n) % LIST_PAGES}`;
  for (let n = 0; n < size; n++) {
    if (n % 12 === 3) urls.push(site.url(`/status/404?n=${n}`));
    else if (n % 12 === 5) urls.push(site.url(`/private/${n}`));
    else if (n % 12 === 8) urls.push(site.url(`/redirect/302?to=${encodeURIComponent(page(n))}`));
    else if (n % 12 === 11) urls.push(random.pick(urls));
    else urls.push(site.url(page(n)));
  }
  return urls;
}

const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];

/** The job when it has ended; null before, and while the API is away. */
export async function endedJob(service: Deployment, id: string): Promise<JobResponse | null> {
  try {
    const job = await service.client.job(id);
    return ENDED.includes(job.status) ? job : null;
  } catch {
    // Killed or not ready yet: ask again.
    return null;
  }
}
