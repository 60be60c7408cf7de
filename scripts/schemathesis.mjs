// npm run test:schema: schemathesis, a program from PyPI that generates requests from /openapi.json, against a
// separate service with sites, a model and a search engine on loopback. All its checks, in all its phases. Needs python3 with
// venv, and PyPI once.
// Usage: npm run test:schema -- [--max-examples 50] [--seed 1] [arguments for `schemathesis run`]
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  ensureBuilt,
  ensureInstalled,
  isUnderServiceNode,
  nodeBinary,
  passSignalsTo,
  root,
  runMain,
} from './bootstrap.mjs';
import { pythonWith } from './python.mjs';

const home = path.join(root, 'scripts/schemathesis');
/** Generated requests per operation and phase. */
const defaults = { '--max-examples': '50', '--seed': '1' };

runMain(async () => {
  await ensureInstalled({ dev: true });
  await ensureBuilt();
  // The fixtures are built for the newer Node.
  const script = fileURLToPath(import.meta.url);
  if (!isUnderServiceNode()) return run(nodeBinary(), [script, ...process.argv.slice(2)]);
  const python = await pythonWith(path.join(home, 'requirements.txt'));
  return withService(async (service) => {
    const all = await schemathesis(python, service, ['--exclude-operation-id', 'deleteData']);
    // The operation that deletes everything comes last, so that the others find data.
    const last = await schemathesis(python, service, ['--include-operation-id', 'deleteData']);
    return all || last;
  });
});

/** @returns its exit code: 0 without a failure */
function schemathesis(python, { url, key, site, ids }, selection) {
  const given = process.argv.slice(2);
  const missing = Object.entries(defaults).filter(([name]) => !given.includes(name));
  const args = [
    ...['-m', 'schemathesis.cli', '--config-file', path.join(home, 'schemathesis.toml')],
    ...['run', `${url}/openapi.json`, ...selection, ...missing.flat(), ...given],
  ];
  const env = {
    SCHEMATHESIS_HOOKS: 'hooks',
    PYTHONPATH: home,
    PYTHONDONTWRITEBYTECODE: '1',
    TRAWL_KEY: key,
    TRAWL_SITE: site,
    TRAWL_IDS: JSON.stringify(ids),
  };
  // Its findings go to the folder of disposable files.
  const findings = path.join(root, '.cache/schemathesis');
  mkdirSync(findings, { recursive: true });
  return run(python, args, env, findings);
}

/** Starts a standalone service with sites, a model and a search engine; ends all of them. */
async function withService(work) {
  const testing = await import('../dist/libs/testing/src/index.js');
  const { readFile } = await import('node:fs/promises');
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'trawl-schema-'));
  const site = await testing.startFixtureSite({ treePages: 0 });
  const llm = await testing.startFakeLlm();
  const stripe = await testing.startFakeStripe();
  const search = await testing.startFakeSearch([
    // No search result may be a private address.
    { url: 'https://docs.example/', title: 'Documentation', snippet: 'A page of it.' },
  ]);
  const { businessesNamed, startFakeSources } =
    await import('../dist/libs/connectors/test/fake-sources.js');
  const sources = await startFakeSources();
  sources.businesses = businessesNamed(5);
  const opened = [site, llm, stripe, search, sources];
  try {
    const env = {
      ...serviceEnv(dataDir, llm, stripe),
      ...search.settings,
      ...scraperEnv(sources.settings.partner),
    };
    const app = await testing.spawnApp({ app: 'standalone', env });
    opened.unshift({ close: () => app.process.stop('SIGTERM') });
    await app.process.waitForLog((line) => line.msg === 'ready', 'ready', 120_000);
    const key = (await readFile(path.join(dataDir, 'dev-key'), 'utf8')).trim();
    const ids = await makeResources(new testing.TrawlClient(app.url, key), site.url(''));
    return await work({ url: app.url, key, site: site.url(''), ids });
  } finally {
    for (const one of opened) await one.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Ids for the requests, by the beginning of the path they are in. */
async function makeResources(client, site) {
  const { jobId } = await client.crawl({
    url: site,
    webhook: site,
    // Anything that an extraction may request.
    scrapeOptions: { formats: ['markdown', 'rawHtml', 'links'] },
  });
  await client.waitForEnd(jobId);
  const { body } = await client.call('GET', `/v1/webhooks/deliveries?jobId=${jobId}`);
  const { keys } = (await client.call('GET', '/v1/keys')).body;
  const { id: keyId } = (await client.call('POST', '/v1/keys', { label: 'to be rotated' })).body;
  const feed = { connectorId: 'sitemap_urls', params: { url: site }, schedule: '0 7 * * *' };
  const { feedId } = (await client.call('POST', '/v1/feeds', feed)).body;
  return {
    '/v1/feeds/': feedId,
    '/v1/crawl/': jobId,
    '/v2/crawl/': jobId,
    '/v1/jobs/': jobId,
    '/v1/webhooks/deliveries/': body.deliveries[0].id,
    '/v1/keys/': keyId,
    // The key of the requests: without it every response would be 401.
    spared: keys[0].id,
  };
}

function scraperEnv(source) {
  const setting = JSON.stringify([source]);
  return { SCRAPER_MAPS: setting, SCRAPER_REVIEWS: setting, SCRAPER_LISTINGS: setting };
}

function serviceEnv(dataDir, { baseUrl, key }, stripe) {
  return {
    DATA_DIR: dataDir,
    PORT: '0',
    FETCH_ALLOW_PRIVATE: '127.0.0.1/32:1024-65535',
    LLM_BASE_URL: baseUrl,
    LLM_API_KEY: key ?? '',
    LLM_MODEL_FREE: 'free',
    LLM_MODEL_LOW: 'low',
    LLM_MODEL_HIGH: 'high',
    LLM_MODEL_TOP: 'top',
    STRIPE_SECRET_KEY: stripe.key,
    STRIPE_WEBHOOK_SECRET: 'whsec_schema',
    STRIPE_PRICES: 'hobby:price_hobby,pro:price_pro,scale:price_scale',
    STRIPE_API_URL: stripe.baseUrl,
    // Retries that the service delays by a minute are skipped.
    SCRAPE_TIMEOUT_MS: '5000',
    BATCH_TIMEOUT_MS: '10000',
  };
}

function run(program, args, env = {}, cwd = root) {
  const child = spawn(program, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
  const forget = passSignalsTo(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      forget();
      resolve(code ?? 128 + os.constants.signals[signal]);
    });
  });
}
