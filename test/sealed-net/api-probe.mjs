// Runs the cases against a running service, guard fully on: a standalone with a database of its
// own.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SETTING_NAMES } from '../../dist/libs/config/src/index.js';
import { spawnApp, TrawlClient } from '../../dist/libs/testing/src/index.js';
import { isRight, mayRebind, networkCases, urlOf } from './cases.mjs';
import { surfaceCases } from './surfaces.mjs';

const siteMark = process.env.SEALED_NET_SITE_MARK;
const results = [];
/** How answers name a host that no request reached. */
const UNRESOLVED = /\((network|timeout)\)|was not found in DNS/;

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'sealed-net-data-'));
try {
  await withService(async (client) => {
    for (const one of networkCases) await runAsScrape(client, one);
    for (const one of networkCases.filter(isRefusable)) await runAsCrawl(client, one);
    for (const one of networkCases.filter(isRefusable)) await runAsExtraction(client, one);
    for (const one of surfaceCases) await probeSurface(client, one);
  });
} finally {
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
writeFileSync(process.env.SEALED_NET_REPORT, JSON.stringify(results));

/** No setting of the caller's environment gets through: an allow rule would make it worthless. */
async function withService(probe) {
  const unset = Object.fromEntries(SETTING_NAMES.map((name) => [name, undefined]));
  const own = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', DRAIN_SECONDS: '5' };
  const service = await spawnApp({ app: 'standalone', env: { ...unset, ...own } });
  try {
    await service.process.waitForLog((line) => line.msg === 'ready', 'ready', 60_000);
    const key = readFileSync(path.join(dataDir, 'dev-key'), 'utf8').trim();
    await probe(new TrawlClient(service.url, key));
  } finally {
    await service.process.stop('SIGTERM');
  }
}

async function runAsScrape(client, one) {
  const got = await scrapeOutcome(client, { url: urlOf(one) });
  results.push({ id: one.id, how: 'scrape', got, isRight: isRight(one, got) });
}

/** A crawl takes its seed and its webhook from outside; both are refused before there is a job. */
async function runAsCrawl(client, one) {
  const webhookField = Number(one.id.slice(1)) % 2 === 0 ? 'webhook' : 'webhookUrl';
  const bodies = {
    seed: { url: one.url, limit: 1 },
    [webhookField]: { url: 'http://site.example/', limit: 1, [webhookField]: one.url },
  };
  for (const [how, body] of Object.entries(bodies)) {
    const got = refusalOutcome(await client.call('POST', '/v1/crawl', body), one.url);
    results.push({ id: one.id, how, got, isRight: isRight(one, got) });
  }
}

/**
 * Addresses of extractions, documents and maps; a list is refused whole, before anything is
 * fetched.
 */
async function runAsExtraction(client, one) {
  const url = urlOf(one);
  const calls = { '/v1/extract': { url }, '/v1/parse': { url }, '/v1/map': { url } };
  for (const [how, body] of Object.entries(calls)) {
    const got = refusalOutcome(await client.call('POST', how, body), url);
    results.push({ id: one.id, how, got, isRight: isRight(one, got) });
  }
  const got = listOutcome(await client.call('POST', '/v1/extract', { urls: [url] }), url);
  results.push({ id: one.id, how: 'urls', got, isRight: isRight(one, got) });
}

/** The address of a name is checked on request: then the entry carries the refusal. */
function listOutcome({ status, body, text }, url) {
  if (status === 400 && body?.invalidUrls?.[0] === url) return 'blocked';
  const [item] = body?.results ?? [];
  if (status === 200 && item?.ok === false) {
    if (item.error === `Blocked URL: ${url}`) return 'blocked';
    if (UNRESOLVED.test(item.error)) return 'unresolved';
  }
  return `failed: ${status} ${text.slice(0, 200)}`;
}

/**
 * Of a name whose answers change, a job may be accepted; what it dials is judged by the canaries.
 */
function isRefusable(one) {
  return one.expect === 'block' && one.surface === undefined && !mayRebind(one);
}

async function probeSurface(client, { id, requests }) {
  for (const { kind, body, expected } of requests) {
    const got = await outcomeOf(kind)(client, body);
    results.push({ id, how: kind, got, isRight: got === expected });
  }
}

function outcomeOf(kind) {
  return {
    scrape: scrapeOutcome,
    crawl: crawlOutcome,
    map: mapOutcome,
    brand: brandOutcome,
    enrich: enrichOutcome,
  }[kind];
}

async function scrapeOutcome(client, body) {
  const answer = await client.scrape(body);
  if (answer.status !== 200) return refusalOutcome(answer, body.url);
  const isSite = answer.body.ok === true && answer.body.markdown.includes(siteMark);
  return isSite ? 'reached' : 'failed: an answer from elsewhere';
}

/** `blocked` and `invalid` only with the exact bodies of the specification. */
function refusalOutcome({ status, body, text }, url) {
  const error = body?.error;
  if (status === 400 && body?.ok === false && error === `Blocked URL: ${url}`) return 'blocked';
  if (status === 400 && error === 'Invalid URL') return 'invalid';
  if (status === 422 && UNRESOLVED.test(error)) return 'unresolved';
  if (error === 'map_timeout') return 'unresolved';
  if (error === 'map_fetch_failed' && UNRESOLVED.test(body.message)) return 'unresolved';
  return `failed: ${status} ${error ?? text.slice(0, 200)}`;
}

async function mapOutcome(client, body) {
  const answer = await client.call('POST', '/v1/map', body);
  if (answer.status !== 200) return refusalOutcome(answer, body.url);
  return ['mapped:', answer.body.source, ...answer.body.links].join(' ');
}

async function brandOutcome(client, body) {
  const answer = await client.call('POST', '/v1/brand', body);
  if (answer.status !== 200) return refusalOutcome(answer, body.domain);
  return `brand: ${answer.body.name} ${answer.body.colors[0]?.hex}`;
}

async function enrichOutcome(client, body) {
  const answer = await client.call('POST', '/v1/enrich/website', body);
  if (answer.status !== 200) return refusalOutcome(answer, body.domain);
  const { pages_crawled: pages, emails, brand } = answer.body;
  return `enriched: ${pages} pages, ${emails.join(' ')}, ${brand.colors[0]?.hex}`;
}

async function crawlOutcome(client, body) {
  const answer = await client.call('POST', '/v1/crawl', body);
  if (answer.status !== 202) return refusalOutcome(answer, body.url);
  const job = await client.waitForEnd(answer.body.jobId, { timeoutMs: 60_000 });
  const counts = { scraped: job.pages_scraped, ...job.failed, ...job.skipped };
  const listed = Object.entries(counts).map(([reason, pages]) => `${pages} ${reason}`);
  return `${job.status}: ${listed.join(', ')}`;
}
