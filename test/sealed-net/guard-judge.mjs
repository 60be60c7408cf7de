// Asks a guard, whole or mutilated, every case and says which it fails.
import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';
import { allCases, mayRebind } from './cases.mjs';
import { ownGuardCases } from './own-guard-cases.mjs';

const EGRESS = 'egress/src';
const DIAL_TIMEOUT_MS = 3_000;
const PUBLIC_ADDRESS = '93.184.216.34';

/** Cases that need a guard alone. */
export const cases = [
  ...allCases.filter((one) => one.surface === undefined && !one.optional && !mayRebind(one)),
  ...ownGuardCases,
];

/**
 * @param load of mutant-loader.mjs
 * @param except ids that are not asked
 * @returns [id, text] of the cases that fail; only the first unless `isAll`
 */
export async function judgeAll(load, { isAll = false, except = new Set() } = {}) {
  const failed = [];
  for (const one of cases.filter(({ id }) => !except.has(id))) {
    const got = await verdict(load, one).catch((error) => nameOf(error));
    if (got === one.expect) continue;
    const asked = `${one.url.slice(0, 60)}${one.via ? ` (${one.via})` : ''}`;
    failed.push([one.id, `${one.id} ${asked}: ${got}`]);
    if (!isAll) break;
  }
  return failed;
}

function nameOf(error) {
  return ['BlockedUrlError', 'InvalidUrlError'].includes(error?.name) ? 'block' : String(error);
}

async function verdict(load, one) {
  const guard = guardFor(load, one);
  switch (one.via) {
    case undefined:
      await guard.vet(guard.parse(one.url));
      return 'allow';
    case 'parse alone':
      guard.parse(one.url);
      return 'allow';
    case 'vet alone':
      await guard.vet(new URL(one.url));
      return 'allow';
    case 'confirm':
      guard.confirm(
        new URL('http://site.example/'),
        { addresses: [one.url], port: 80 },
        one.dialled,
      );
      return 'allow';
    case 'connect':
      proxyTarget(load).parseConnectTarget(guard, one.url);
      return 'allow';
    case 'absolute':
      proxyTarget(load).parseRequestTarget(guard, one.url);
      return 'allow';
    case 'dial':
      return dialPastSecondLock(load);
    case 'dial elsewhere':
      return dialVetted(load);
    case 'redirect':
      return followRedirect(load);
    case 'door':
      return enterDoor(load);
    default:
      throw new Error(`Nothing is known of ${one.via}`);
  }
}

const proxyTarget = (load) => load(`${EGRESS}/filtering-proxy/proxy-target.ts`);

function guardFor(load, { dns = {}, allow = '', named = null, own = [], deny = '' }) {
  const { EgressGuard } = load(`${EGRESS}/guard.ts`);
  const { parseAllowPrivate } = load(`${EGRESS}/allow-private.ts`);
  const { parseEgressDeny } = load(`${EGRESS}/deny-ranges.ts`);
  const { OwnAddresses } = load(`${EGRESS}/own-addresses.ts`);
  // The setting refuses names that nothing opens; a rule with one must not open it either.
  const rule = { kind: 'host', host: named, lowPort: 80, highPort: 80 };
  return new EgressGuard({
    resolver: tableResolver(dns),
    allowPrivate: [...parseAllowPrivate(allow), ...(named === null ? [] : [rule])],
    deny: parseEgressDeny(deny),
    ownAddresses: new OwnAddresses({ read: () => ({ lo: own.map((address) => ({ address })) }) }),
  });
}

/** A name that the table lacks is public: a mutant that lets it through shall get through. */
function tableResolver(dns) {
  return {
    resolve: async (host) => {
      const answers = dns[host] ?? [PUBLIC_ADDRESS];
      return Array.isArray(answers[0]) ? answers[0] : answers;
    },
  };
}

async function onServer(server, work) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    return await work(server.address().port);
  } finally {
    server.closeAllConnections?.();
    server.close();
  }
}

/** The vetted address answers, but the check of the connected socket refuses it. */
function dialPastSecondLock(load) {
  const { BlockedUrlError } = load(`${EGRESS}/egress-errors.ts`);
  return onServer(
    net.createServer((socket) => socket.destroy()),
    async (port) => {
      const guard = {
        vet: async () => ({ addresses: ['127.0.0.1'], port }),
        confirm: () => {
          throw new BlockedUrlError('connect', 'x');
        },
      };
      const url = new URL(`http://site.example:${port}/`);
      const { socket } = await load(`${EGRESS}/dial.ts`).dial(
        guard,
        url,
        AbortSignal.timeout(DIAL_TIMEOUT_MS),
      );
      socket.destroy();
      return 'allow';
    },
  );
}

/** A server listens on this port of 127.0.0.1, none on the vetted address. */
function dialVetted(load) {
  return onServer(
    net.createServer((socket) => socket.destroy()),
    async (port) => {
      const guard = {
        vet: async () => ({ addresses: ['127.0.0.2'], port }),
        confirm: () => undefined,
      };
      const url = new URL(`http://site.example:${port}/`);
      const { dial } = load(`${EGRESS}/dial.ts`);
      const dialled = await dial(guard, url, AbortSignal.timeout(DIAL_TIMEOUT_MS)).catch(
        () => null,
      );
      dialled?.socket.destroy();
      return dialled === null ? 'block' : 'allow';
    },
  );
}

function followRedirect(load) {
  const { HttpClient } = load(`${EGRESS}/http-client.ts`);
  const { Deadline } = load('contracts/src/index.ts');
  const canary = http.createServer((_request, response) => response.end());
  return onServer(canary, (forbidden) => {
    const location = `http://127.0.0.1:${forbidden}/`;
    const site = http.createServer((_request, response) =>
      response.writeHead(302, { location }).end(),
    );
    return onServer(site, async (port) => {
      const guard = guardFor(load, {
        dns: { 'site.example': ['127.0.0.1'] },
        allow: `site.example:${port}`,
      });
      const client = new HttpClient({ guard, userAgent: 'Mutant/1.0' });
      try {
        const url = `http://site.example:${port}/`;
        await client.fetch({ url, deadline: Deadline.after(DIAL_TIMEOUT_MS), maxBytes: 1_000 });
        return 'allow';
      } finally {
        await client.close();
      }
    });
  });
}

/** Where rules open all of loopback, a page still cannot use another page's proxy port. */
async function enterDoor(load) {
  const { FilteringProxy } = load(`${EGRESS}/filtering-proxy/filtering-proxy.ts`);
  const { dial } = load(`${EGRESS}/dial.ts`);
  const guard = guardFor(load, { allow: '127.0.0.1/32:1-65535' });
  const dialler = { connect: (url, signal) => dial(guard, url, signal) };
  const proxy = new FilteringProxy({ guard, dialler });
  await proxy.start();
  try {
    const door = () => proxy.openSession({ country: null, maxRequests: 9, maxBytes: 1e6 });
    const [from, to] = [await door(), await door()];
    const socket = net.connect(Number(new URL(from.url).port), '127.0.0.1');
    socket.write(`CONNECT ${new URL(to.url).host} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    socket.destroy();
    return answer.toString().startsWith('HTTP/1.1 200') ? 'allow' : 'block';
  } finally {
    await proxy.close();
  }
}
