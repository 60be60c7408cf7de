import { ApiError } from '@app/contracts';
import type { Logger } from '@app/telemetry';
import type { CreditUse } from '@app/accounts';
import type { ExtractedData, ExtractedListing, ExtractedMany } from './extract-result.dto.js';

/** Specification: Request-shape limits. */
const CONCURRENCY = 5;

type Item = ExtractedMany['results'][number];

/** One answer of its own: of the single modes, and for each of `urls`. */
export interface SingleAnswer extends CreditUse {
  readonly result: ExtractedListing | ExtractedData;
}

interface Outcome extends CreditUse {
  readonly item: Omit<Item, 'url'>;
  /** Nothing was fetched: no credits were left for it. */
  readonly unpaid?: ApiError;
}

/**
 * One result per entry, in order. An address that is named twice is read and booked once. One that
 * fails does not take the others with it, for those are paid.
 * @throws Refusal when none could be paid for
 */
export async function extractMany(
  urls: readonly string[],
  extract: (url: string) => Promise<SingleAnswer>,
  log: Logger,
): Promise<CreditUse & { readonly result: ExtractedMany }> {
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
  return { result: { results, summary }, ...sumOf([...outcomes.values()]) };
}

function refuseUnpaid(outcomes: readonly Outcome[]): void {
  const [first] = outcomes;
  if (first?.unpaid && outcomes.every(({ unpaid }) => unpaid)) throw first.unpaid;
}

/** What is left is what was left last: it only gets less while they are read. */
function sumOf(outcomes: readonly Outcome[]): CreditUse {
  const credits = outcomes.reduce((sum, outcome) => sum + outcome.credits, 0);
  const left = outcomes.flatMap(({ remaining }) => (remaining === null ? [] : [remaining]));
  return { credits, remaining: left.length === 0 ? null : Math.min(...left) };
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
    // Nobody waits any more: the rest is not begun.
    if (apiError.code === 'client_gone') throw apiError;
    if (apiError.code === 'internal') log.error({ err: error }, 'an address was not extracted');
    const item = { ok: false, error: apiError.message };
    const unpaid = apiError.code === 'payment_required' ? apiError : undefined;
    return { item, credits: 0, remaining: null, ...(unpaid ? { unpaid } : {}) };
  }
}

function presentItem(result: SingleAnswer['result']): Outcome['item'] {
  const { url: _url, ...rest } = result;
  if (!('schema' in rest)) return { ok: true, ...rest };
  // The caller has the schema; a hundred copies of it help nobody.
  const { schema: _schema, ...item } = rest;
  return { ok: true, ...item };
}
