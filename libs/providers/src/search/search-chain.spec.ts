import { Deadline } from '@app/contracts';
import { SEARCH_SOURCES, type SearchSource } from '@app/search';
import {
  backendFailure,
  type BackendQuery,
  type BackendResult,
  type BackendTerms,
} from './search-backend.js';
import { SearchChain, type BackendAdmission, type SearchOutcome } from './search-chain.js';

const QUERY: BackendQuery = {
  ...{ text: 'q', limit: 10, country: 'us', locale: 'en-US', period: null, tenantId: 't' },
  ...{ includeDomains: [], excludeDomains: [], isAllowed: () => true },
};
const FOUND: BackendResult = {
  ok: true,
  results: [{ url: 'https://a.example/', title: 'A', snippet: '' }],
};
const EMPTY: BackendResult = { ok: true, results: [] };
const FAILED = backendFailure('http_error', 'HTTP 500', { retryAfterMs: 7_000 });
const REFUSED = backendFailure('http_error', 'HTTP 400', { isOfQuery: true, statusCode: 400 });
const INCOMPLETE = backendFailure('provider_error', 'its engines are silent', { isOfQuery: true });
const DRIFT = backendFailure('provider_error', 'no blocks', { isDrift: true });

interface Scene {
  readonly answers: readonly BackendResult[];
  readonly closed?: Partial<Record<SearchSource, number>>;
  /** Milliseconds that each backend takes of its share; 1: all of it. */
  readonly usedShare?: number;
}

async function run({ answers, closed = {}, usedShare = 0 }: Scene) {
  let nowMs = 0;
  const notes: [SearchSource, SearchOutcome][] = [];
  const health: string[] = [];
  const shares: number[] = [];
  const backends = answers.map((answer, at) => ({
    source: SEARCH_SOURCES[at] ?? 'serp_provider',
    search: async (_: BackendQuery, { deadline }: BackendTerms) => {
      shares.push(deadline.remainingMs());
      nowMs += usedShare * deadline.remainingMs();
      return answer;
    },
  }));
  const chain = new SearchChain({
    backends,
    breaker: {
      admit: async (source): Promise<BackendAdmission> => {
        const retryAfterMs = closed[source];
        return retryAfterMs === undefined ? { isOpen: true } : { isOpen: false, retryAfterMs };
      },
      succeeded: async (source) => void health.push(`${source} succeeded`),
      failed: async (source, retryAfterMs) =>
        void health.push(`${source} failed ${String(retryAfterMs)}`),
    },
    onAttempt: (source, outcome) => notes.push([source, outcome]),
  });
  const terms = {
    deadline: Deadline.after(9_000, () => nowMs),
    signal: new AbortController().signal,
  };
  return { reply: await chain.search(QUERY, terms), notes, health, shares };
}

describe('the chain of search backends', () => {
  it('uses the first with results, and requests no other', async () => {
    const { reply, notes } = await run({ answers: [FOUND, FOUND, FOUND] });
    expect(reply).toMatchObject({ kind: 'found', source: 'serp_provider' });
    expect(notes).toEqual([['serp_provider', 'results']]);
  });

  it('goes on after a failure, an empty answer and drift', async () => {
    const { reply, notes, health } = await run({ answers: [DRIFT, EMPTY, FOUND] });
    expect(reply).toMatchObject({ kind: 'found', source: 'html_provider_2' });
    expect(notes.map(([, outcome]) => outcome)).toEqual(['drift', 'empty', 'results']);
    expect(health).toEqual([
      'serp_provider failed null',
      'html_provider_1 succeeded',
      'html_provider_2 succeeded',
    ]);
  });

  it('has no results when one completed without, whatever the others did', async () => {
    const { reply } = await run({ answers: [FAILED, EMPTY, FAILED] });
    expect(reply).toMatchObject({ kind: 'found', source: 'html_provider_1', results: [] });
  });

  it('fails only when all failed, with what each did', async () => {
    const { reply } = await run({ answers: [FAILED, REFUSED, DRIFT] });
    expect(reply).toMatchObject({ kind: 'failed', retryAfterMs: null, isOfQuery: false });
    expect(reply.attempts.map(({ source, errorClass }) => [source, errorClass])).toEqual([
      ['serp_provider', 'http_error'],
      ['html_provider_1', 'http_error'],
      ['html_provider_2', 'provider_error'],
    ]);
  });

  it('fails without attempts when none is configured', async () => {
    expect((await run({ answers: [] })).reply).toEqual({
      kind: 'failed',
      attempts: [],
      retryAfterMs: null,
      isOfQuery: false,
    });
  });

  it('says that it is the query when every backend refuses it', async () => {
    const { reply, health } = await run({ answers: [REFUSED, REFUSED] });
    expect([reply, health]).toMatchObject([{ kind: 'failed', isOfQuery: true }, []]);
    const incomplete = await run({ answers: [REFUSED, INCOMPLETE] });
    expect(incomplete.reply).toMatchObject({ kind: 'failed', isOfQuery: false });
  });

  it('reports failures with the requested delay, but not those of one query', async () => {
    expect((await run({ answers: [FAILED, REFUSED] })).health).toEqual([
      'serp_provider failed 7000',
    ]);
  });

  it('leaves out backends in their pause, and says when the first is back', async () => {
    const closed = { serp_provider: 9_000, html_provider_1: 4_000 };
    const one = await run({ answers: [FOUND, FOUND, FOUND], closed });
    expect(one.reply).toMatchObject({ kind: 'found', source: 'html_provider_2' });
    expect(one.notes.map(([, outcome]) => outcome)).toEqual(['skipped', 'skipped', 'results']);
    const all = await run({ answers: [FOUND, FOUND], closed });
    expect(all.reply).toMatchObject({ kind: 'failed', retryAfterMs: 4_000 });
    expect(all.health).toEqual([]);
  });

  it('divides the time so that the last one can still answer', async () => {
    const { shares, reply } = await run({ answers: [FAILED, FAILED, FOUND], usedShare: 1 });
    expect(shares).toEqual([3_000, 3_000, 3_000]);
    expect(reply).toMatchObject({ kind: 'found', source: 'html_provider_2' });
  });

  it('passes on time that a fast one did not use', async () => {
    expect((await run({ answers: [FAILED, FAILED, FOUND] })).shares).toEqual([3_000, 4_500, 9_000]);
  });
});
