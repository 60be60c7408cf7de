import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import type { Statement } from '@app/database';
import {
  REQUESTS_PER_ADDRESS,
  REQUESTS_PER_NETWORK,
  sweepSignInRequests,
  takeSignInRequest,
  type SignInRequest,
} from './sign-in-requests.js';

const T0 = new Date('2026-03-01T12:20:00Z');
const MINUTE_MS = 60_000;
const after = (minutes: number): Date => new Date(T0.getTime() + minutes * MINUTE_MS);
const STORED: Statement = {
  name: 'spec_asks',
  text: 'SELECT asks FROM sign_in_asks ORDER BY asks',
};
const ALL: Statement = { name: 'spec_asks_all', text: 'SELECT * FROM sign_in_asks' };

describe('requests for links', () => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await openFreshDatabase();
  });
  afterAll(() => fresh.drop());
  beforeEach(() => fresh.patiently(['DELETE FROM sign_in_asks']));

  const ask = async (over: Partial<SignInRequest> = {}): Promise<boolean> => {
    const base = { email: 'a@b.example', network: '192.0.2.1/32', now: T0 };
    return (await takeSignInRequest(fresh.database, { ...base, ...over })).kind === 'taken';
  };
  const taken = async (asks: readonly Promise<boolean>[]): Promise<number> =>
    (await Promise.all(asks)).filter(Boolean).length;
  const counts = async (): Promise<number[]> =>
    (await fresh.database.query<{ asks: number }>(STORED)).map(({ asks }) => asks);
  const times = <T>(count: number, make: (n: number) => T): T[] =>
    Array.from({ length: count }, (_, n) => make(n));

  it('are limited for one address, from any network, under any concurrency', async () => {
    const asks = times(40, (n) => ask({ network: `192.0.2.${n}/32` }));
    expect(await taken(asks)).toBe(REQUESTS_PER_ADDRESS);
  });

  it('are limited for one network, for any addresses, under any concurrency', async () => {
    const asks = times(60, (n) => ask({ email: `a${n}@b.example` }));
    expect(await taken(asks)).toBe(REQUESTS_PER_NETWORK);
  });

  it('beyond those of a network do not count for the address', async () => {
    await taken(times(REQUESTS_PER_NETWORK, (n) => ask({ email: `a${n}@b.example` })));
    await taken(times(50, () => ask({ email: 'victim@b.example' })));
    const network = '198.51.100.1/32';
    const asks = times(10, () => ask({ email: 'victim@b.example', network }));
    expect(await taken(asks)).toBe(REQUESTS_PER_ADDRESS);
  });

  it('count for an address whichever case it is written in', async () => {
    const asks = times(12, (n) => ask({ email: n % 2 === 0 ? 'A@B.example' : 'a@b.EXAMPLE' }));
    expect(await taken(asks)).toBe(REQUESTS_PER_ADDRESS);
  });

  it('are counted again from zero each hour, and report when that is', async () => {
    await taken(times(10, () => ask()));
    const limited = { email: 'a@b.example', network: '192.0.2.1/32', now: after(30) };
    expect(await takeSignInRequest(fresh.database, limited)).toEqual({
      kind: 'limited',
      retryAfterSeconds: 600,
    });
    expect(await ask({ now: after(40) })).toBe(true);
  });

  it('use the clock of the database by default', async () => {
    const outcome = await takeSignInRequest(fresh.database, {
      email: 'a@b.example',
      network: '::/64',
    });
    expect(outcome).toEqual({ kind: 'taken' });
    expect(await sweepSignInRequests(fresh.database, { limit: 10 })).toBe(0);
  });

  it('keep neither addresses nor networks in the clear', async () => {
    await ask();
    const [first] = await fresh.database.query<{ subject: Buffer }>(ALL);
    expect(first?.subject).toHaveLength(32);
    expect(await counts()).toEqual([1, 1]);
  });

  it('of hours that are over are swept in bounded rounds', async () => {
    await ask();
    await ask({ email: 'c@d.example' });
    await ask({ now: after(40) });
    const round = () => sweepSignInRequests(fresh.database, { limit: 2, now: after(40) });
    expect([await round(), await round(), await round()]).toEqual([2, 1, 0]);
    expect(await counts()).toEqual([1, 1]);
  });
});
