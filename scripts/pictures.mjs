// Makes the pictures of docs/images, each in light and dark: a service on embedded defaults, a site of documents, and a
// browser that uses the account page as a person does. Look at them before you commit them.
// Usage: node scripts/pictures.mjs [name …]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';

import {
  ensureBuilt,
  ensureInstalled,
  isUnderServiceNode,
  nodeBinary,
  root,
  runMain,
} from './bootstrap.mjs';
import { chromiumEnv, ensureChromium } from './chromium.mjs';

const PORT = 3987;
const VIEW = { width: 1280, height: 800 };
const SITE = '/usr/share/doc/python-requests-doc/html'.slice(1);

runMain(async () => {
  await ensureInstalled({ dev: true });
  await ensureBuilt();
  if (!isUnderServiceNode()) {
    const child = spawn(nodeBinary(), process.argv.slice(1), { stdio: 'inherit' });
    return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
  }
  const browser = chromiumEnv(await ensureChromium());
  const { debianFiles, startFolderSite } = await import(`${root}/dist/libs/testing/src/index.js`);
  const site = await startFolderSite(debianFiles('python-requests-doc', SITE));
  const shop = await startShop();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'trawl-pictures-'));
  const service = await startService(folder, browser);
  try {
    await takePictures({ site, shop, folder, browser: browser.CHROMIUM_PATH });
  } finally {
    service.kill('SIGTERM');
    await new Promise((resolve) => service.once('exit', resolve));
    await Promise.all([site.close(), shop.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A page whose price falls with every visit. */
async function startShop() {
  let price = 24;
  const server = createServer((_request, response) => {
    price -= 1;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Harbour lamp</title><h1>Harbour lamp</h1>
      <p>A lamp of brass for a quiet harbour.</p><p>Price: ${price} EUR</p><p>Ships in two days.</p>`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/lamp`, close: () => server.close() };
}

async function startService(folder, browser) {
  const env = {
    ...process.env,
    ...browser,
    ...{ DATA_DIR: folder, PORT: String(PORT), METRICS_PORT: '0', LOG_LEVEL: 'error' },
    FETCH_ALLOW_PRIVATE: '127.0.0.1/32:1024-65535',
  };
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: 'inherit' });
  for (let tries = 0; tries < 120; tries++) {
    const isReady = await fetch(`http://127.0.0.1:${PORT}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return child;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('the service did not start');
}

async function takePictures({ site, shop, folder, browser }) {
  const { chromium } = await import('playwright');
  const opened = await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] });
  const key = readFileSync(path.join(folder, 'dev-key'), 'utf8').trim();
  const chosen = new Set(process.argv.slice(2));
  try {
    const addresses = new Map();
    for (const colorScheme of ['light', 'dark']) {
      const context = await opened.newContext({ viewport: VIEW, colorScheme });
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      const open = (at) => page.goto(`http://127.0.0.1:${PORT}${at}`);
      await open('/dashboard/sign-in');
      await page.getByLabel('API key').fill(key);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(/dashboard$/);
      for (const [name, show] of Object.entries(VIEWS)) {
        if (chosen.size > 0 && !chosen.has(name)) continue;
        await show({ page, open, site: site.url('/'), shop: shop.url, addresses });
        await page.evaluate('document.activeElement?.blur()');
        const { data } = await devtools.send('Page.captureScreenshot', {
          format: 'webp',
          quality: 82,
        });
        const file = `docs/images/${name}${colorScheme === 'dark' ? '-dark' : ''}.webp`;
        writeFileSync(path.join(root, file), Buffer.from(data, 'base64'));
        console.log(file);
      }
      await context.close();
    }
  } finally {
    await opened.close();
  }
}

/** Opens what was made for the light picture again. */
async function made({ page, open, addresses }, name, make) {
  if (!addresses.has(name)) {
    await make();
    addresses.set(name, new URL(page.url()).pathname);
  }
  await open(addresses.get(name));
}

const VIEWS = {
  async job(visit) {
    const { page, open, site } = visit;
    await made(visit, 'job', async () => {
      await open('/dashboard/playground/startCrawl');
      await page.getByLabel('URL', { exact: true }).fill(site);
      await page.getByLabel('Max pages', { exact: true }).fill('60');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.waitForURL(/jobs\/[\w-]+$/);
      await page.locator('[data-state=completed]').first().waitFor();
    });
  },
  async search({ page }) {
    await page.getByLabel('Words in the text of the pages').pressSequentially('session cookies');
    await page.locator('.found mark').first().waitFor();
  },
  async result(visit) {
    const { page, open, site } = visit;
    await made(visit, 'result', async () => {
      await open('/dashboard/playground/scrape');
      await page.getByLabel('URL', { exact: true }).fill(site);
      await page.getByLabel('screenshot', { exact: true }).check();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('article').waitFor();
    });
    await page.locator('[data-answer]').scrollIntoViewIfNeeded();
    await page.evaluate("document.querySelector('[data-answer]').scrollIntoView()");
    await page.locator('.looks img').waitFor();
  },
  async playground({ page, open, site }) {
    await open('/dashboard/playground/startCrawl');
    await page.getByLabel('URL', { exact: true }).fill(site);
    await page.getByText(site).first().waitFor();
  },
  async feed(visit) {
    const { page, open, shop } = visit;
    await made(visit, 'feed', async () => {
      const query = new URLSearchParams({ 'params.urls': shop });
      await open(`/dashboard/playground/createFeed.page_changes?${query}`);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.waitForURL(/dashboard\/feeds\/./);
      const at = page.url();
      for (let runs = 1; runs <= 2; runs++) {
        await page.getByRole('button', { name: 'Run now' }).click();
        const ended = page.locator('section:has(#runs) [data-state=completed]');
        while ((await ended.count()) < runs) await page.goto(at);
      }
    });
    await page.locator('.diff').first().waitFor();
  },
  async schema({ page, open, site }) {
    await open('/dashboard/schemas/build');
    await page.getByLabel('Example page').fill(site);
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.locator('.values button').first().click();
    await page.locator('.rows li').first().waitFor();
  },
  async overview({ open }) {
    await open('/dashboard');
  },
  async requests({ open }) {
    await open('/dashboard/requests');
  },
  async webhooks({ page, open, shop }) {
    await open('/dashboard/webhooks');
    await page.getByLabel('Send an example event to').fill(shop);
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByText('The receiver answered').waitFor();
  },
  async keys({ open }) {
    await open('/dashboard/keys');
  },
  async plan({ open }) {
    await open('/dashboard/plan');
  },
  async docs({ open }) {
    await open('/docs/crawling');
  },
  async reference({ open }) {
    await open('/docs/api/scrape');
  },
};
