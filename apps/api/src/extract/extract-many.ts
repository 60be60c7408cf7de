import { ApiError } from '@app/contracts';
import type { Logger } from '@app/telemetry';
import type { CreditUse } from '@app/accounts';
import type { ExtractedData, ExtractedListing, ExtractedMany } from './extract-result.dto.js';

/** Specification: Request-shape limits. */
const CONCURRENCY = 5;

type Item = ExtractedMany['results'][number];

/** One result: the response of the single modes, or an entry for `urls`. */
export interface SingleAnswer extends CreditUse {
  readonly result: ExtractedListing | ExtractedData;
}

interface Outcome extends CreditUse {
  readonly item: Omit<Item, 'url'>;
  /** Nothing was fetched: the credits were used up. */
  readonly unpaid?: ApiError;
}

/**
 * One result per entry, in order. A duplicate URL is read and charged once. A failed entry does not
 * fail the others, which are paid already.
 * @throws ApiError if the credits cover no entry
 */
export async function extractMany(
  urls: readonly string[],
  extract: (url: string) => Promise<SingleAnswer>,
  log: Logger,
): Promise<{ readonly result: ExtractedMany; readonly used: readonly CreditUse[] }> {
  const outcomes = new Map<string, Outcome>();
  const waiting = distinct(urls);
  const work = async (): Promise<void> => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      outcomes.set(keyOf(url), await outcomeOf(() => extract(url), log));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  refuseUnpaid([...outcomes.values()]);
  const results = urls.flatMap((url) => {
    const outcome = outcomes.get(keyOf(url));
    return outcome ? [{ url, ...outcome.item }] : [];
  });
  const ok = results.filter((item) => item.ok).length;
  const summary = { total: results.length, ok, failed: results.length - ok };
  return { result: { results, summary }, used: [...outcomes.values()] };
}

function refuseUnpaid(outcomes: readonly Outcome[]): void {
  const [first] = outcomes;
  if (first?.unpaid && outcomes.every(({ unpaid }) => unpaid)) throw first.unpaid;
}

function distinct(urls: readonly string[]): string[] {
  return [...new Map(urls.map((url) => [keyOf(url), url])).values()];
}

function keyOf(url: string): string {
  return new URL(url).href;
}

async function outcomeOf(extract: () => Promise<SingleAnswer>, log: Logger): Promise<Outcome> {
  try {
    const { result, ...spent } = await extract();
    return { item: presentItem(result), ...spent };
  } catch (error) {
    const apiError = error instanceof ApiError ? error : new ApiError('internal');
    // The client disconnected: the rest is not started.
    if (apiError.code === 'client_gone') throw apiError;
    if (apiError.code === 'internal')
      log.error({ err: error }, 'an extraction failed with an internal error');
    const item = { ok: false, error: apiError.message };
    const unpaid = apiError.code === 'payment_required' ? apiError : undefined;
    return { item, credits: 0, remaining: null, ...(unpaid ? { unpaid } : {}) };
  }
}

function presentItem(result: SingleAnswer['result']): Outcome['item'] {
  const { url: _url, ...rest } = result;
  if (!('schema' in rest)) return { ok: true, ...rest };
  // The client has the schema already; a hundred copies would be useless.
  const { schema: _schema, ...item } = rest;
  return { ok: true, ...item };
}
