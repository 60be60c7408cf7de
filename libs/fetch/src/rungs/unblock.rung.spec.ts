import { Deadline, DEFAULT_FETCH_OPTIONS } from '@app/contracts';
import { BlockedUrlError } from '@app/egress';
import { PLAIN_RENDER, type FetchedPage, type FetchRequest } from '../fetch-rung.js';
import { Spend } from '../spend.js';
import {
  failedTry,
  type ProviderResult,
  type UnblockProvider,
} from '../unblock/unblock-provider.js';
import { UnblockRung } from './unblock.rung.js';

function request(over: Partial<FetchRequest> = {}): FetchRequest {
  return {
    url: new URL('https://site.example/'),
    deadline: Deadline.after(60_000),
    maxBytes: 1_000_000,
    options: DEFAULT_FETCH_OPTIONS,
    spend: new Spend(null),
    onRetryAfter: 'report',
    render: PLAIN_RENDER,
    ...over,
  };
}

function page(statusCode: number): ProviderResult {
  const fetched: FetchedPage = {
    url: 'https://site.example/',
    statusCode,
    contentType: 'text/html',
    headers: {},
    body: new Uint8Array(),
    bytes: 0,
    isCut: false,
    redirects: [],
    timings: {},
    isRendered: false,
  };
  return { ok: true, page: fetched };
}

interface Scripted extends UnblockProvider {
  readonly seen: FetchRequest[];
}

function provider(
  name: string,
  result: ProviderResult | Error,
  costMicroUsd = 0,
  more: Partial<UnblockProvider> = {},
): Scripted {
  const seen: FetchRequest[] = [];
  return {
    name,
    costClass: costMicroUsd > 0 ? 'paid' : 'free',
    costMicroUsd,
    seen,
    fetch(asked) {
      seen.push(asked);
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    },
    ...more,
  };
}

const NETWORK = failedTry('network', 'the connection failed');

describe('the unblock rung', () => {
  it('serves the first page that is no gate and tries no provider after it', async () => {
    const [free, paid] = [provider('free', page(200)), provider('paid', page(200), 10)];
    const result = await new UnblockRung({ providers: [free, paid] }).fetch(request());
    expect(result).toMatchObject({
      ok: true,
      page: { statusCode: 200 },
      unblock: [{ provider: 'free', ok: true, errorClass: null, outcome: 'ok', costClass: 'free' }],
    });
    expect(paid.seen).toHaveLength(0);
  });

  it.each([403, 429, 503])(
    'goes on to the next provider after a gate of status %d',
    async (status) => {
      const providers = [provider('free', page(status)), provider('paid', page(200), 10)];
      const result = await new UnblockRung({ providers }).fetch(request());
      expect(result).toMatchObject({ ok: true, page: { statusCode: 200 } });
      expect(result.unblock).toMatchObject([
        { provider: 'free', ok: false, errorClass: 'blocked', outcome: 'blocked' },
        { provider: 'paid', ok: true, errorClass: null, outcome: 'ok', costClass: 'paid' },
      ]);
    },
  );

  it('uses the injected assessment, so that a bot wall with status 200 is found too', async () => {
    const providers = [provider('free', page(200)), provider('paid', page(201), 10)];
    const isBlocked = (judged: FetchedPage) => Promise.resolve(judged.statusCode === 200);
    const result = await new UnblockRung({ providers, isBlocked }).fetch(request());
    expect(result).toMatchObject({ ok: true, page: { statusCode: 201 } });
  });

  it.each([404, 410, 500])(
    'ends with the error page of status %d and pays no provider',
    async (status) => {
      const paid = provider('paid', page(200), 10);
      const rung = new UnblockRung({ providers: [provider('free', page(status)), paid] });
      const result = await rung.fetch(request());
      expect(result).toMatchObject({ ok: true, page: { statusCode: status } });
      expect(result.unblock).toMatchObject([
        { ok: false, errorClass: 'http_error', outcome: 'failed' },
      ]);
      expect(paid.seen).toHaveLength(0);
    },
  );

  it('continues after a failure and reports the last one when no provider returns a page', async () => {
    const slow = failedTry('timeout', 'no whole answer in time');
    const providers = [provider('free', NETWORK), provider('paid', slow, 10)];
    const result = await new UnblockRung({ providers }).fetch(request());
    expect(result).toMatchObject({ ok: false, failure: { errorClass: 'timeout' } });
    expect(result.unblock).toMatchObject([
      { errorClass: 'network', outcome: 'failed' },
      { errorClass: 'timeout', outcome: 'failed' },
    ]);
  });

  it('returns the bot wall when every provider meets one, for the cascade to assess', async () => {
    const providers = [provider('free', page(403)), provider('paid', NETWORK, 10)];
    const result = await new UnblockRung({ providers }).fetch(request());
    expect(result).toMatchObject({ ok: true, page: { statusCode: 403 } });
    expect(result.unblock).toHaveLength(2);
  });

  describe('under a cost ceiling', () => {
    it('does not call a provider that would exceed it, and reports it', async () => {
      const paid = provider('paid', page(200), 11);
      const rung = new UnblockRung({ providers: [provider('free', page(403)), paid] });
      const result = await rung.fetch(request({ spend: new Spend(10) }));
      expect(paid.seen).toHaveLength(0);
      expect(result.unblock?.[1]).toEqual({
        provider: 'paid',
        ok: false,
        latencyMs: 0,
        errorClass: 'cost_ceiling',
        outcome: 'failed',
        costClass: 'paid',
      });
    });

    it('continues with a cheaper one, and may reach it exactly', async () => {
      const providers = [provider('dear', page(200), 11), provider('cheap', page(200), 10)];
      const spend = new Spend(10);
      const result = await new UnblockRung({ providers }).fetch(request({ spend }));
      expect(result).toMatchObject({ ok: true });
      expect(spend.tryReserve(1)).toBe(false);
    });

    it('fails with cost_ceiling when no provider was tried', async () => {
      const rung = new UnblockRung({ providers: [provider('paid', page(200), 11)] });
      const result = await rung.fetch(request({ spend: new Spend(0) }));
      expect(result).toMatchObject({ ok: false, failure: { errorClass: 'cost_ceiling' } });
    });

    it('reserves nothing for a provider that cannot serve the request', async () => {
      const refusal = failedTry('provider_error', 'carries cookies');
      const paid = provider('paid', page(200), 10, { refuses: () => refusal });
      const spend = new Spend(10);
      const result = await new UnblockRung({ providers: [paid] }).fetch(request({ spend }));
      expect(result.unblock).toMatchObject([{ errorClass: 'provider_error', latencyMs: 0 }]);
      expect(paid.seen).toHaveLength(0);
      expect(spend.tryReserve(10)).toBe(true);
    });
  });

  it('shares its time in equal parts, the last one having all that is left', async () => {
    const providers = [provider('a', NETWORK), provider('b', NETWORK)];
    const deadline = Deadline.after(1_000, () => 0);
    await new UnblockRung({ providers }).fetch(request({ deadline }));
    expect(providers.map(({ seen }) => seen[0]?.deadline.remainingMs())).toEqual([500, 1_000]);
  });

  it('tries no provider once the time is up', async () => {
    const free = provider('free', page(200));
    const deadline = Deadline.after(0);
    const result = await new UnblockRung({ providers: [free] }).fetch(request({ deadline }));
    expect(result).toMatchObject({ ok: false, failure: { errorClass: 'timeout' }, unblock: [] });
    expect(free.seen).toHaveLength(0);
  });

  it('passes on an error of the guard', async () => {
    const blocked = new BlockedUrlError('connect', 'http://10.0.0.1/');
    const rung = new UnblockRung({ providers: [provider('free', blocked)] });
    await expect(rung.fetch(request())).rejects.toBe(blocked);
  });

  it('reports that a cached copy is still valid', async () => {
    const rung = new UnblockRung({
      providers: [provider('free', { ok: true, notModified: true })],
    });
    const result = await rung.fetch(request());
    expect(result).toMatchObject({ ok: true, notModified: true, unblock: [{ outcome: 'ok' }] });
  });

  it('is of another network only when a third party is among its providers', () => {
    const networkOf = (cost: number) =>
      new UnblockRung({ providers: [provider('one', NETWORK, cost)] }).network;
    expect([networkOf(0), networkOf(1)]).toEqual(['ours', 'another']);
  });
});
