// The sealed network: no outside, `lo` delivers public addresses, names come from our own server,
// and canaries sit on every address that must not be reached. Runs inside the namespace
// (see run.mjs); nothing of the product is switched or faked.
import { execFileSync } from 'node:child_process';
import dgram from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { TEST_CA, TEST_CERT, TEST_KEY } from '../../libs/egress/test/tls-fixture.ts';
import { startDnsServer } from './dns-server.mjs';
import { names, sites } from './surfaces.mjs';
import { SITE_MARK } from './site-mark.mjs';

/** Body of every page of the fixture site. */
export { SITE_MARK };

const CANARY_ADDRESSES = ['127.0.0.1', '::1', '10.0.0.5', '169.254.169.254', 'fd00:ec2::254'];
const CANARY_TCP_PORTS = [21, 22, 25, 80, 443, 3000, 5432, 6000, 6379, 6667, 8080, 9222, 15672];
const CANARY_UDP_PORTS = [53, 80, 443, 3478, 5353];
/** The name server for the product under test, separate from all others. */
const OWN_NAME_SERVER = { address: '127.0.0.1', port: 5300 };

/**
 * Sets the network up and starts every server in it.
 * @param pages path → answer, served for every host beside the cases' own
 * @param mayAskSystem false: whatever asks the system's name server has reached a forbidden place;
 *   the product then uses the one in SEALED_NET_NAME_SERVER
 * @returns canaryHits(): what reached a forbidden place so far, one text each;
 *   env: variables the probed program needs; stop().
 */
export async function start({ cases, pages = {}, mayAskSystem = true }) {
  const publicAddresses = addressesOf(cases, 'allow');
  const isPrivate = (ip) => !publicAddresses.includes(ip);
  const canaryAddresses = [
    ...new Set([...CANARY_ADDRESSES, ...addressesOf(cases, 'block')]),
  ].filter(isPrivate);
  prepareNetwork(publicAddresses, canaryAddresses);
  const { folder, env } = replaceFiles();
  const hits = [];
  const closers = [];
  for (const address of canaryAddresses) closers.push(...(await startCanaries(address, hits)));
  const site = siteFor(cases, pages);
  const tls = { key: TEST_KEY, cert: TEST_CERT };
  for (const address of publicAddresses) {
    closers.push(await listen(http.createServer(site), address, 80));
    closers.push(await listen(https.createServer(tls, site), address, 443));
    closers.push(...(await startCanaries(address, hits, [80, 443])));
  }
  const forbidden = forbiddenNames(cases);
  const table = dnsTable(cases);
  const onQuery = (name) => forbidden.has(name) && hits.push(`dns ${name}`);
  const onSystemQuery = mayAskSystem ? onQuery : (name) => hits.push(`dns ${name}`);
  const nameServers = [
    await startDnsServer({ table, onQuery: onSystemQuery }),
    await startDnsServer({ table, onQuery, ...OWN_NAME_SERVER }),
  ];
  const sentBefore = packetsSent();
  return {
    env: {
      ...env,
      SEALED_NET_NAME_SERVER: `${OWN_NAME_SERVER.address}:${OWN_NAME_SERVER.port}`,
    },
    canaryHits: () => [...hits, ...strayPackets(sentBefore)],
    stop: async () => {
      for (const server of nameServers) await server.close();
      for (const close of closers) close();
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Literal addresses and DNS answers of the cases with this expectation that a machine can carry.
 */
function addressesOf(cases, expectation) {
  const found = new Set(expectation === 'allow' ? ['93.184.216.34', '2606:2800:220:1::1'] : []);
  for (const one of cases) {
    if (one.expect !== expectation) continue;
    const host = one.whatwgHost?.replace(/^\[|\]$/g, '');
    if (host && net.isIP(host)) found.add(host);
    if (expectation === 'allow')
      for (const ip of Object.values(one.dns ?? {}).flat(2)) found.add(unmap(ip));
  }
  return [...found].filter(isCarriable);
}

function unmap(ip) {
  return ip.replace(/^::ffff:(?=\d+\.)/, '');
}

/**
 * Not every address can be given to an interface: unspecified, multicast, broadcast, link-local,
 * mapped.
 */
function isCarriable(ip) {
  if (net.isIPv4(ip)) return !/^(0|22[4-9]|23\d|24\d|25[0-5])\./.test(ip);
  return !/^(::$|::ffff:|ff|fe[89ab])/i.test(ip);
}

function prepareNetwork(publicAddresses, canaryAddresses) {
  // A server may listen on an IPv6 address that a route, and no interface, makes ours.
  writeFileSync('/proc/sys/net/ipv6/ip_nonlocal_bind', '1');
  const range = (ip) => `${ip}/${net.isIPv4(ip) ? 32 : 128}`;
  const own = canaryAddresses.filter((ip) => !/^127\.|^::1$/.test(ip));
  const lines = [
    'link set lo up',
    ...own.map((ip) => `addr add ${range(ip)} dev lo`),
    // The sites answer here without being addresses of an interface, which the guard refuses.
    ...publicAddresses.map(
      (ip) => `${net.isIPv4(ip) ? '' : '-6 '}route add local ${range(ip)} dev lo`,
    ),
  ];
  // A way out that leads nowhere: without one, some leaks never become packets.
  lines.push(
    'link add v0 type veth peer name v1',
    'link set v0 addrgenmode none',
    'link set v1 addrgenmode none',
  );
  lines.push('addr add 10.0.0.9/24 dev v0', 'link set v0 up', 'link set v1 up');
  lines.push(
    'neigh add 10.0.0.1 lladdr 02:00:00:00:00:01 dev v0',
    'route add default via 10.0.0.1 dev v0',
  );
  // No IPv6 address here: the kernel would announce it by multicast, which is no leak of the
  // product.
  lines.push('neigh add fd00:9::1 lladdr 02:00:00:00:00:01 dev v0');
  lines.push('-6 route add default via fd00:9::1 dev v0 onlink');
  for (const line of lines)
    execFileSync('ip', line.split(' '), { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Points the resolver at our name server, and trust at the fixture's authority. */
function replaceFiles() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sealed-net-'));
  bind(folder, '/etc/resolv.conf', 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
  bind(folder, '/etc/hosts', '127.0.0.1 localhost\n::1 localhost ip6-localhost\n');
  const ca = path.join(folder, 'ca.pem');
  writeFileSync(ca, TEST_CA);
  return { folder, env: { NODE_EXTRA_CA_CERTS: ca } };
}

/** Only this mount namespace sees the replaced file. */
function bind(folder, target, text) {
  const file = path.join(folder, path.basename(target));
  writeFileSync(file, text);
  execFileSync('mount', ['--bind', file, target]);
}

async function startCanaries(address, hits, exceptPorts = []) {
  const closers = [];
  for (const port of CANARY_TCP_PORTS.filter((one) => !exceptPorts.includes(one))) {
    const server = net.createServer((socket) => {
      hits.push(`tcp ${address} ${port}`);
      socket.destroy();
    });
    closers.push(await listen(server, address, port));
  }
  const isNameServer = (port) => port === 53 && address === '127.0.0.1';
  for (const port of CANARY_UDP_PORTS.filter((one) => !isNameServer(one))) {
    const socket = dgram.createSocket(net.isIPv6(address) ? 'udp6' : 'udp4');
    socket.on('message', () => hits.push(`udp ${address} ${port}`));
    await new Promise((resolve, reject) =>
      socket.once('error', reject).bind(port, address, resolve),
    );
    closers.push(() => socket.close());
  }
  return closers;
}

function listen(server, address, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => resolve(() => server.close()));
  });
}

/**
 * `/redirect/ID` answers as the case says, `/header/ID` names its URL in a Link header,
 * `/visited/HOST` is there once that host was asked; the hosts of surfaces.mjs have pages of their
 * own. Every other address is the same page, robots.txt is nowhere.
 */
function siteFor(cases, pages) {
  const visited = new Set();
  return (request, response) => {
    visited.add(request.headers.host);
    const own = sites[request.headers.host]?.[request.url] ?? pages[request.url];
    if (own !== undefined) return sendOwn(response, own);
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    const [, kind, id] = request.url.split('/');
    if (kind === 'visited' && !visited.has(id)) return response.writeHead(404).end();
    const one = cases.find((candidate) => candidate.id === id);
    if (kind === 'redirect' && one !== undefined) {
      return response.writeHead(one.response.status, { location: one.response.location }).end();
    }
    if (kind === 'header' && one !== undefined)
      response.setHeader('link', `<${one.url}>; rel=preload`);
    sendPage(response, '');
  };
}

function sendOwn(response, { status = 200, headers = {}, html = '', text, type, bytes }) {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (bytes !== undefined) return response.setHeader('content-type', type).end(bytes);
  if (text === undefined) return sendPage(response, html);
  response.setHeader('content-type', 'text/plain').end(text);
}

function sendPage(response, html) {
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><title>Fixture</title>${html}<p>${SITE_MARK}</p>`);
}

function dnsTable(cases) {
  return Object.assign(
    { 'site.example': ['93.184.216.34', '2606:2800:220:1::1'], ...names },
    ...cases.map(({ dns }) => dns ?? {}),
  );
}

/** Names that must be refused by what they say, before any resolver hears them. */
function forbiddenNames(cases) {
  const named = cases.filter(
    ({ expect, group }) => expect === 'block' && (group === 'names' || group === 'metadata'),
  );
  const hosts = named.map(({ whatwgHost }) => whatwgHost?.replace(/\.$/, ''));
  return new Set(hosts.filter((host) => host && !host.startsWith('[') && !net.isIP(host)));
}

function packetsSent() {
  const line = readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .find((one) => one.trim().startsWith('v0:'));
  return Number(line?.trim().split(/\s+/)[10] ?? 0);
}

function strayPackets(sentBefore) {
  const sent = packetsSent() - sentBefore;
  return sent === 0 ? [] : [`${sent} packets to addresses outside`];
}
