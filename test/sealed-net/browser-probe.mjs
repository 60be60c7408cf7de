// Plays every trick of browser-cases.mjs in a real Chromium, launched and led as the product does
// it: its flags, a port of the filtering proxy for each context, guard fully on.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright';
import {
  Dialler,
  DnsResolver,
  EgressGuard,
  FilteringProxy,
} from '../../dist/libs/egress/src/index.js';
import { chromiumFlags } from '../../dist/libs/fetch/src/browser/chromium-flags.js';
import { findChromium } from '../../scripts/chromium.mjs';
import {
  browserRedirects,
  browserSchemes,
  listedBrowserCases,
  ownBrowserCases,
} from './browser-cases.mjs';
import { mutantNamed } from './browser-mutants.mjs';
import { mayRebind } from './cases.mjs';

/** Pages open at once. */
const CONCURRENCY = 3;
const EVIDENCE_TIMEOUT_MS = 6_000;
/** After the evidence, for what a trick does later. */
const AFTERMATH_MS = 300;
/** How long the browser is left to itself, for what it asks on its own account. */
const QUIET_MS = Number(
  process.env.SEALED_NET_QUIET_MS ?? (process.env.SEALED_NET_WITHOUT ? 0 : 20_000),
);
const SITE = '//site.example';

const siteMark = process.env.SEALED_NET_SITE_MARK;
const results = [];
const unsolicited = [];

const mutant = mutantNamed(process.env.SEALED_NET_WITHOUT);
Object.assign(process.env, mutant.env);
const isPlayed = ({ id }) => mutant.only === undefined || mutant.only.includes(id);

const resolver = new DnsResolver(5_000, [process.env.SEALED_NET_NAME_SERVER]);
const guard = mutant.guard(new EgressGuard({ resolver }), resolver);
const proxy = new FilteringProxy({
  guard,
  dialler: new Dialler({ guard }),
  onUnsolicited: (target) => unsolicited.push(target),
});
await proxy.start();
const scratch = mkdtempSync(path.join(os.tmpdir(), 'sealed-net-browser-'));
const home = await launch();
try {
  const browser = home.browser();
  const openedAt = performance.now();
  await inTurns(
    [
      ...[...listedBrowserCases, ...ownBrowserCases]
        .filter(isPlayed)
        .map((one) => () => playTrick(browser, one)),
      ...browserRedirects.filter(isPlayed).map((one) => () => followRedirect(browser, one)),
      ...browserSchemes.filter(isPlayed).map((one) => () => tryScheme(browser, one)),
    ],
    CONCURRENCY,
  );
  await pause(Math.max(0, QUIET_MS - (performance.now() - openedAt)));
} finally {
  await home.close();
  await proxy.close();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
note('requests at the refusing port', 'note', unsolicited, true);
writeFileSync(process.env.SEALED_NET_REPORT, JSON.stringify(results));

/** As libs/fetch does: its flags and no other; its first context is not used. */
function launch() {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('No Chromium: run `npm run services start`');
  const userDataDir = path.join(scratch, 'profile');
  return chromium.launchPersistentContext(userDataDir, {
    executablePath,
    ignoreDefaultArgs: true,
    args: mutant.flags(
      chromiumFlags({
        refusingUrl: proxy.refusingUrl,
        userDataDir,
        ownerFlag: '--sealed-net',
        isSandboxed: false,
        maxHeapMiB: 256,
      }),
    ),
    env: { HOME: scratch, TMPDIR: scratch, PATH: process.env.PATH },
  });
}

/** A context of its own for one page. @returns what `work` says */
async function onPage(browser, work) {
  const refused = [];
  const session = await proxy.openSession({
    country: null,
    maxRequests: 500,
    maxBytes: 10_000_000,
    onBlocked: (target) => refused.push(target),
  });
  const context = await browser.newContext(
    mutant.context({
      proxy: { server: session.url, bypass: '<-loopback>' },
      serviceWorkers: 'block',
      acceptDownloads: false,
      ignoreHTTPSErrors: true,
    }),
  );
  try {
    return await work(await context.newPage(), refused, context);
  } finally {
    await context.close();
    await session.close();
  }
}

async function playTrick(browser, one) {
  const got = await onPage(browser, async (page, refused) => {
    const response = await page.goto(`${one.scheme ?? 'http'}:${SITE}${one.path}`, {
      waitUntil: 'commit',
    });
    if (response?.status() !== 200) return `failed: the page answered ${response?.status()}`;
    if (one.click !== undefined) await page.click(one.click, { noWaitAfter: true });
    const found = await evidence(() => sight(page, refused, one));
    await pause(AFTERMATH_MS);
    return found ?? `no evidence, but refused: ${refused.join(' ') || 'nothing'}`;
  }).catch((error) => `failed: ${error.message}`);
  note(one.id, 'page', got, ['refused', 'tried', 'loaded'].includes(got));
}

/** How the trick was seen to be played; null as long as it was not. */
async function sight(page, refused, one) {
  if (one.refused !== undefined) {
    const isSeen = (text) => refused.some((target) => target.startsWith(text));
    return one.refused.every(isSeen) ? 'refused' : null;
  }
  // The page may be on its way elsewhere: then it is checked again.
  const title = await page.title().catch(() => '');
  if (one.loaded) return title === 'loaded' ? 'loaded' : null;
  return title === 'tried' ? 'tried' : null;
}

async function followRedirect(browser, one) {
  const got = await onPage(browser, async (page, refused) => {
    // Ends in an error page, or on the site; either is checked below.
    await page.goto(`http:${SITE}${one.path}`, { timeout: 10_000 }).catch(() => null);
    const text = await page.content().catch(() => '');
    if (text.includes(siteMark)) return 'reached';
    await assertNothingOfThisMachine(page.context());
    return refused.length > 0 ? 'refused' : 'stopped by the browser';
  }).catch((error) => `failed: ${error.message}`);
  const isStopped = /^(refused|stopped)/.test(got);
  note(
    one.id,
    'redirect',
    got,
    isStopped ? one.expect === 'block' : isReachable(one) && got === 'reached',
  );
}

function isReachable(one) {
  return one.expect === 'allow' || mayRebind(one);
}

/** A page tries to go to the address by frame, pop-up and location, after a user's click. */
async function tryScheme(browser, one) {
  const got = await onPage(browser, async (page, _refused, context) => {
    await page.goto(`http:${SITE}/`, { waitUntil: 'commit' });
    await page.evaluate((url) => {
      const act = (run) => {
        try {
          run();
        } catch {
          // A text that is no URL.
        }
      };
      document.onclick = () => {
        act(() =>
          document.body.append(Object.assign(document.createElement('iframe'), { src: url })),
        );
        act(() => window.open(url));
        act(() => fetch(url, { mode: 'no-cors' }).catch(() => 0));
        document.title = 'tried';
        act(() => (location.href = url));
      };
    }, one.url);
    await page.click('body', { noWaitAfter: true });
    await pause(AFTERMATH_MS);
    await assertNothingOfThisMachine(context);
    return 'tried';
  }).catch((error) => `failed: ${error.message}`);
  note(one.id, 'scheme', got, got === 'tried');
}

/** No frame of any page shows a file or a page of the browser's own. */
async function assertNothingOfThisMachine(context) {
  for (const frame of context.pages().flatMap((page) => page.frames())) {
    // A frame that goes away meanwhile shows nothing.
    const text = await Promise.race([frame.content().catch(() => ''), pause(1_000, '')]);
    if (text.includes('root:x:0')) throw new Error(`a file was shown: ${frame.url()}`);
    if (/^(file|view-source|chrome):/.test(frame.url())) throw new Error(`at ${frame.url()}`);
  }
}

async function evidence(look) {
  const endsAt = performance.now() + EVIDENCE_TIMEOUT_MS;
  for (;;) {
    const found = await look();
    if (found !== null || performance.now() > endsAt) return found;
    await pause(20);
  }
}

function note(id, how, got, isRight) {
  results.push({ id, how, got, isRight });
}

async function inTurns(works, concurrency) {
  const queue = [...works];
  const run = async () => {
    for (let work = queue.shift(); work !== undefined; work = queue.shift()) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, run));
}
