import fc from 'fast-check';
import { rejection } from '../test/rejection.js';
import { ScriptedResolver } from '../test/scripted-resolver.js';
import { parseAllowPrivate } from './allow-private.js';
import {
  BlockedUrlError,
  type DeniedStage,
  InvalidUrlError,
  ResolveError,
} from './egress-errors.js';
import { parseEgressDeny } from './deny-ranges.js';
import { EgressGuard } from './guard.js';
import { OWN_ADDRESSES_MAX_AGE_MS, OwnAddresses } from './own-addresses.js';

const PUBLIC = '93.184.216.34';

describe('EgressGuard', () => {
  it('has the same text for every reason and never the resolved address', async () => {
    const guard = new EgressGuard({
      resolver: new ScriptedResolver({ 'inside.example': ['10.9.8.7'] }),
    });
    const byName = await rejection(
      guard.vet(guard.parse('http://inside.example/x')),
      BlockedUrlError,
    );
    expect(byName.message).toBe('Blocked URL: http://inside.example/x');
    expect(() => guard.parse('http://[::1]/x')).toThrow(
      new BlockedUrlError('parse', 'http://[::1]/x'),
    );
  });

  it.each([22, 25, 110, 143, 465, 587, 6000, 6667])('refuses port %i of any host', (port) => {
    const guard = new EgressGuard({ resolver: new ScriptedResolver({}) });
    expect(() => guard.parse(`http://a.example:${port}/`)).toThrow(BlockedUrlError);
  });

  it('counts each refusal once, by stage', async () => {
    const stages: DeniedStage[] = [];
    const guard = new EgressGuard({
      resolver: new ScriptedResolver({ 'inside.example': ['10.9.8.7'] }),
      onDenied: (stage) => stages.push(stage),
    });
    const url = guard.parse('http://inside.example/');
    expect(() => guard.parse('http://10.0.0.1/')).toThrow(BlockedUrlError);
    expect(() => guard.parse('http://10.0.0.1/', url, 'redirect')).toThrow(BlockedUrlError);
    expect(() => guard.parse('//10.0.0.1/', url, 'subresource')).toThrow(BlockedUrlError);
    await rejection(guard.vet(url), BlockedUrlError);
    const target = { addresses: [PUBLIC], port: 80 };
    expect(() => guard.confirm(url, target, '127.0.0.1')).toThrow(BlockedUrlError);
    expect(stages).toEqual(['parse', 'redirect', 'subresource', 'dns', 'connect']);
  });

  it('vets a URL that never passed parse', async () => {
    const guard = new EgressGuard();
    await rejection(guard.vet(new URL('http://169.254.169.254/')), BlockedUrlError);
    await rejection(guard.vet(new URL('ftp://example.com/')), BlockedUrlError);
    await rejection(guard.vet(new URL('http://user:pass@example.com/')), BlockedUrlError);
  });

  it('normalises the vetted addresses and drops duplicates', async () => {
    const answers = ['::ffff:104.20.23.154', '104.20.23.154', '2606:4700::1'];
    const guard = new EgressGuard({ resolver: new ScriptedResolver({ 'a.example': answers }) });
    await expect(guard.vet(guard.parse('https://a.example/'))).resolves.toEqual({
      addresses: ['104.20.23.154', '2606:4700:0:0:0:0:0:1'],
      port: 443,
    });
  });

  it('asks the resolver for the name without its trailing dot', async () => {
    const resolver = new ScriptedResolver({ 'a.example': [PUBLIC] });
    const guard = new EgressGuard({ resolver });
    await guard.vet(guard.parse('https://a.example./'));
    expect(resolver.asked).toEqual(['a.example']);
  });

  it('confirms a socket that ends at a vetted address, mapped or not', () => {
    const guard = new EgressGuard();
    const url = new URL('http://a.example/');
    const target = { addresses: [PUBLIC], port: 80 };
    expect(() => guard.confirm(url, target, `::ffff:${PUBLIC}`)).not.toThrow();
    expect(() => guard.confirm(url, target, undefined)).toThrow(BlockedUrlError);
  });

  it.each([
    '',
    'not a url',
    'http://',
    '//example.com',
    'http://a b/',
    `http://a.example/${'x'.repeat(20_000)}`,
  ])('calls %p an invalid URL', (text) => {
    expect(() => new EgressGuard().parse(text)).toThrow(InvalidUrlError);
  });

  it('resolves relative references against the base', () => {
    const guard = new EgressGuard();
    const base = new URL('http://8.8.8.8/a/b');
    expect(guard.parse('../c?d', base).href).toBe('http://8.8.8.8/c?d');
    expect(guard.parse('//example.com/x', base).href).toBe('http://example.com/x');
    expect(guard.parse('http:x', base).href).toBe('http://8.8.8.8/a/x');
    expect(() => guard.parse('//010.8.8.8/', base)).toThrow(BlockedUrlError);
    expect(() => guard.parse('\\\\127.0.0.1\\', base)).toThrow(BlockedUrlError);
  });

  describe('with exceptions', () => {
    const allowPrivate = parseAllowPrivate(
      '127.0.0.1/32:8080,10.0.0.0/8:8080,wiki.internal:8080,localhost:8080,metadata.internal:8080,named.example:8080',
    );
    const resolver = new ScriptedResolver({
      'wiki.internal': ['10.1.2.3'],
      'other.internal': ['10.1.2.3'],
      'metadata.internal': ['169.254.169.254'],
      localhost: ['127.0.0.1'],
      'inside.example': ['10.1.2.3'],
      'named.example': ['10.1.2.3', PUBLIC],
      wiki: ['10.1.2.3'],
    });
    const guard = new EgressGuard({ resolver, allowPrivate });
    const reach = async (url: string) => guard.vet(guard.parse(url)).then(() => 'allow');

    it.each([
      'http://127.0.0.1:8080/',
      'http://[::ffff:127.0.0.1]:8080/',
      'http://localhost:8080/',
      'http://wiki.internal:8080/',
      'http://wiki.internal.:8080/',
      'http://named.example:8080/',
    ])('opens %s', async (url) => {
      await expect(reach(url)).resolves.toBe('allow');
    });

    it.each([
      'http://127.0.0.1/',
      'http://127.0.0.2:8080/',
      'http://localhost/',
      'http://wiki.internal:8081/',
      'http://wiki:8080/',
      'http://other.internal:8080/',
      'http://inside.example:8080/',
      'http://named.example/',
      'http://metadata.internal:8080/',
      'http://metadata.google.internal:8080/',
      'http://169.254.169.254:8080/',
      'http://x.onion:8080/',
    ])('still refuses %s', async (url) => {
      await expect(Promise.resolve(url).then(reach)).rejects.toThrow('Blocked URL');
    });
  });

  describe('on a machine with public addresses', () => {
    const OWN = '93.184.216.99';
    const OWN_SIX = '2606:2800:220:1::99';
    const read = () => ({
      lo: [{ address: '127.0.0.1' }],
      eth0: [{ address: OWN }, { address: OWN_SIX }, { address: 'fe80::1%eth0' }],
    });
    const resolver = new ScriptedResolver({
      'own.example': [OWN],
      'mixed.example': [PUBLIC, OWN_SIX],
      'mapped.example': [`::ffff:${OWN}`],
      'near.example': ['93.184.216.98'],
    });
    const guardWith = (allow = '', deny = '') =>
      new EgressGuard({
        resolver,
        ownAddresses: new OwnAddresses({ read }),
        allowPrivate: parseAllowPrivate(allow),
        deny: parseEgressDeny(deny),
      });
    const reach = async (guard: EgressGuard, url: string) =>
      guard.vet(guard.parse(url)).then(() => 'allow');

    it.each([
      `http://${OWN}/`,
      `http://[${OWN_SIX}]/`,
      `http://[::ffff:${OWN}]/`,
      `http://[64:ff9b::${OWN}]/`,
      'http://[2002:5db8:d863::1]/',
      'http://own.example/',
      'http://mixed.example/',
      'http://mapped.example/',
    ])('refuses its own: %s', async (url) => {
      await expect(Promise.resolve(url).then((one) => reach(guardWith(), one))).rejects.toThrow(
        'Blocked URL',
      );
    });

    it('lets its neighbours through, and its own where a rule opens them', async () => {
      await expect(reach(guardWith(), 'http://near.example/')).resolves.toBe('allow');
      const open = guardWith(`${OWN}/32:80,mixed.example:80`);
      await expect(reach(open, `http://${OWN}/`)).resolves.toBe('allow');
      await expect(reach(open, 'http://mixed.example/')).resolves.toBe('allow');
      await expect(reach(open, 'http://own.example/')).rejects.toThrow('Blocked URL');
    });

    it('follows the interfaces as they change', () => {
      let nowMs = 0;
      let address = OWN;
      const ownAddresses = new OwnAddresses({
        read: () => ({ a: [{ address }] }),
        nowMs: () => nowMs,
      });
      const guard = new EgressGuard({ ownAddresses });
      expect(() => guard.parse(`http://${OWN}/`)).toThrow('Blocked URL');
      address = PUBLIC;
      nowMs += OWN_ADDRESSES_MAX_AGE_MS;
      expect(() => guard.parse(`http://${OWN}/`)).not.toThrow();
      expect(() => guard.parse(`http://${PUBLIC}/`)).toThrow('Blocked URL');
    });

    it('reads the interfaces once for many questions', () => {
      let reads = 0;
      const ownAddresses = new OwnAddresses({ read: () => (reads++, {}), nowMs: () => 0 });
      const guard = new EgressGuard({ ownAddresses });
      for (let n = 0; n < 100; n++) guard.parse(`http://93.184.216.${n}/`);
      expect(reads).toBe(1);
    });

    it('reads those of the system by default', () => {
      expect(new OwnAddresses().has(new Uint8Array([127, 0, 0, 1]))).toBe(true);
    });

    it.each([
      ['http://93.184.216.34/', '93.184.216.0/24'],
      ['http://near.example/', '93.184.216.0/24'],
      ['http://[::ffff:93.184.216.34]/', '93.184.216.0/24'],
      ['http://[2606:2800::1]/', '10.0.0.0/8, 2606:2800::/32'],
      ['http://10.0.0.1/', '10.0.0.0/8'],
      ['http://10.0.0.1/', '0.0.0.0/0'],
    ])('refuses %s where EGRESS_DENY is %s, whatever is opened', async (url, deny) => {
      const guard = guardWith('93.184.216.0/24:80,10.0.0.0/8:80,near.example:80', deny);
      await expect(Promise.resolve(url).then((one) => reach(guard, one))).rejects.toThrow(
        'Blocked URL',
      );
      if (!url.includes('near')) expect(() => guardWith('10.0.0.0/8:80').parse(url)).not.toThrow();
    });

    it.each(['10.0.0.0', '10.0.0.1/8', '10.0.0.0/33', 'example.com/8', '::ffff:10.0.0.0/104', 'x'])(
      'stops at the EGRESS_DENY entry %s and names it',
      (entry) => {
        expect(() => parseEgressDeny(`10.0.0.0/8,${entry}`)).toThrow(
          `EGRESS_DENY entry "${entry}"`,
        );
      },
    );
  });

  it('never lets a name through when its answers hold one private address', async () => {
    const privateIp = fc.constantFrom(
      '127.0.0.1',
      '10.0.0.1',
      '::1',
      'fd00::1',
      '169.254.169.254',
      '::ffff:10.0.0.1',
    );
    const publicIps = fc.array(fc.constantFrom(PUBLIC, '2606:4700::1', '1.1.1.1'), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(publicIps, privateIp, fc.nat(5), async (ips, bad, position) => {
        const answers: string[] = [...ips];
        answers.splice(position, 0, bad);
        const guard = new EgressGuard({ resolver: new ScriptedResolver({ 'a.example': answers }) });
        await rejection(guard.vet(new URL('http://a.example/')), BlockedUrlError);
      }),
    );
  });

  it('throws nothing but its own two errors, whatever the text', () => {
    const guard = new EgressGuard();
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.ipV4Extended()),
        (text) => {
          for (const candidate of [text, `http://${text}/`]) {
            try {
              const url = guard.parse(candidate);
              expect(['http:', 'https:']).toContain(url.protocol);
            } catch (error) {
              expect(error instanceof BlockedUrlError || error instanceof InvalidUrlError).toBe(
                true,
              );
            }
          }
        },
      ),
    );
  });

  it('reports a name without answers as unresolved, not as blocked', async () => {
    const guard = new EgressGuard({ resolver: new ScriptedResolver({}) });
    const error = await rejection(guard.vet(new URL('http://missing.example/')), ResolveError);
    expect(error.code).toBe('ENOTFOUND');
  });
});
