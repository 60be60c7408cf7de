import { type NameAnswer, NameServer, type Question } from '../test/name-server.js';
import { rejection } from '../test/rejection.js';
import { ResolveError } from './egress-errors.js';
import { DnsResolver, type Resolver, SystemResolver, TargetResolver } from './resolver.js';

const FOUR = '192.0.2.7';
const SIX = '2001:db8::7';

/** A limit that no case is about. */
const PATIENT_MS = 60_000;

const both: NameAnswer = { kind: 'addresses', addresses: [FOUR, SIX] };
const servers: NameServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(answerTo: NameAnswer | ((question: Question) => NameAnswer)) {
  const server = await NameServer.start(typeof answerTo === 'function' ? answerTo : () => answerTo);
  servers.push(server);
  return server;
}

const timed = async <T>(work: Promise<T>): Promise<{ value: T; tookMs: number }> => {
  const startedAt = performance.now();
  const value = await work;
  return { value, tookMs: performance.now() - startedAt };
};

describe('DnsResolver', () => {
  it.each<[string, NameAnswer, readonly string[]]>([
    ['both families, IPv4 first', both, [FOUR, SIX]],
    ['a name with IPv4 only', { kind: 'addresses', addresses: [FOUR] }, [FOUR]],
    ['a name with IPv6 only', { kind: 'addresses', addresses: [SIX] }, [SIX]],
    [
      'several addresses',
      { kind: 'addresses', addresses: [FOUR, '192.0.2.8'] },
      [FOUR, '192.0.2.8'],
    ],
    [
      'an alias',
      { kind: 'addresses', addresses: [FOUR, SIX], alias: 'target.example' },
      [FOUR, SIX],
    ],
    ['an answer too long for UDP', { kind: 'only-by-tcp', addresses: [FOUR, SIX] }, [FOUR, SIX]],
  ])('finds %s', async (_, answer, expected) => {
    const server = await serve(answer);
    expect(await new DnsResolver(PATIENT_MS, [server.address]).resolve('name.example')).toEqual(
      expected,
    );
    expect(server.asked.map(({ name }) => name)).toEqual(server.asked.map(() => 'name.example'));
    const isByTcp = server.asked.some(({ via }) => via === 'tcp');
    expect(isByTcp).toBe(answer.kind === 'only-by-tcp');
  });

  it.each<[string, NameAnswer, string]>([
    ['a name that does not exist', { kind: 'nxdomain' }, 'ENOTFOUND'],
    ['a name without addresses', { kind: 'addresses', addresses: [] }, 'ENOTFOUND'],
    ['a name server that fails', { kind: 'servfail' }, 'ESERVFAIL'],
  ])('rejects for %s', async (_, answer, code) => {
    const server = await serve(answer);
    const resolver = new DnsResolver(PATIENT_MS, [server.address]);
    expect(await rejection(resolver.resolve('name.example'), ResolveError)).toMatchObject({ code });
  });

  it('names the failure of one family when the other has no address', async () => {
    const server = await serve(({ type }) =>
      type === 'A' ? { kind: 'addresses', addresses: [] } : { kind: 'servfail' },
    );
    const resolver = new DnsResolver(PATIENT_MS, [server.address]);
    expect(await rejection(resolver.resolve('name.example'), ResolveError)).toMatchObject({
      code: 'ESERVFAIL',
    });
  });

  it.each([
    ['no label', '..'],
    ['a label of 64 characters', `${'a'.repeat(64)}.example`],
  ])('rejects a name with %s without asking', async (_, name) => {
    const server = await serve(both);
    await rejection(new DnsResolver(PATIENT_MS, [server.address]).resolve(name), ResolveError);
    expect(server.asked).toEqual([]);
  });

  it('gives up on a silent name server when its time is over', async () => {
    const server = await serve({ kind: 'silence' });
    const resolver = new DnsResolver(300, [server.address]);
    const lookup = timed(rejection(resolver.resolve('name.example'), ResolveError));
    // A timer, and not the time: a busy machine is as late for the one as for the other.
    let isLate = false;
    const bound = setTimeout(() => (isLate = true), 4_500);
    const { value, tookMs } = await lookup;
    expect(value.code).toBe('ETIMEOUT');
    expect([tookMs > 250, isLate]).toEqual([true, false]);
    clearTimeout(bound);
  });

  it('stops waiting when the caller does', async () => {
    const server = await serve({ kind: 'silence' });
    const abort = new AbortController();
    const lookup = rejection(
      new DnsResolver(PATIENT_MS, [server.address]).resolve('name.example', abort.signal),
      ResolveError,
    );
    abort.abort(new Error('enough'));
    const { value, tookMs } = await timed(lookup);
    expect(value).toMatchObject({ code: 'ABORTED', cause: { message: 'enough' } });
    expect(tookMs).toBeLessThan(45_000);
  });

  it('keeps the addresses of one family when the other is never answered', async () => {
    const server = await serve(({ type }) => (type === 'A' ? both : { kind: 'silence' }));
    const resolver = new DnsResolver(PATIENT_MS, [server.address]);
    const { value, tookMs } = await timed(resolver.resolve('name.example'));
    expect(value).toEqual([FOUR]);
    expect(tookMs).toBeLessThan(45_000);
  });

  it('asks often enough to get over lost packets, also after many quick answers', async () => {
    const asked = new Map<string, number>();
    const server = await serve(({ name, type }) => {
      if (!name.startsWith('lossy')) return both;
      const turn = asked.get(`${name} ${type}`) ?? 0;
      asked.set(`${name} ${type}`, turn + 1);
      if (turn < 2) return { kind: 'silence' };
      // One family each: the answers of two would have to come within a second.
      return { kind: 'addresses', addresses: [name === 'lossy4.example' ? FOUR : SIX] };
    });
    const resolver = new DnsResolver(20_000, [server.address]);
    for (let n = 0; n < 30; n++) await resolver.resolve(`quick${n}.example`);
    expect(await resolver.resolve('lossy4.example')).toEqual([FOUR]);
    expect(await resolver.resolve('lossy6.example')).toEqual([SIX]);
  });

  it('answers at once while other names wait for a silent name server', async () => {
    const server = await serve(({ name }) =>
      name.startsWith('silent') ? { kind: 'silence' } : both,
    );
    const resolver = new DnsResolver(PATIENT_MS, [server.address]);
    const enough = new AbortController();
    const ends: string[] = [];
    const silent = Array.from({ length: 20 }, (_, n) =>
      rejection(resolver.resolve(`silent${n}.example`, enough.signal), ResolveError).then(() =>
        ends.push('silent'),
      ),
    );
    expect(await resolver.resolve('name.example')).toEqual([FOUR, SIX]);
    expect(ends).toEqual([]);
    enough.abort();
    await Promise.all(silent);
  });

  it('asks once for callers of the same moment, and again for the next one', async () => {
    const server = await serve(both);
    const resolver = new DnsResolver(PATIENT_MS, [server.address]);
    await Promise.all([1, 2, 3].map(() => resolver.resolve('name.example')));
    expect(server.asked.map(({ type }) => type).sort()).toEqual(['A', 'AAAA']);
    await resolver.resolve('name.example');
    expect(server.asked).toHaveLength(4);
  });
});

describe('SystemResolver', () => {
  it('resolves the names of this machine', async () => {
    const [first] = await new SystemResolver(PATIENT_MS).resolve('localhost');
    expect(['127.0.0.1', '::1']).toContain(first);
  });
});

describe('TargetResolver', () => {
  const named = (name: string): Resolver => ({ resolve: async () => [name] });
  const resolver = new TargetResolver(named('direct'), named('system'));

  it.each([
    ['example.com', 'direct'],
    ['localhost.example.com', 'direct'],
    ['localhost', 'system'],
    ['wiki', 'system'],
    ['wiki.internal', 'system'],
    ['app.localhost', 'system'],
  ])('looks up %s by the %s resolver', async (host, expected) => {
    expect(await resolver.resolve(host)).toEqual([expected]);
  });
});
