// npm run test:start: the steps of a new user on a machine without a browser. A fresh clone in an empty folder, `npm
// start`, the three printed commands as pasted, and a page that needs scripts; as root, as root below a folder that is
// closed to others, and as another user whose home is read-only. Then once more, after kill -9, and with a taken port.
// Prints a line per step and "N passed, N failed" at the end.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';

import { root } from './bootstrap.mjs';
import { USUAL_PLACES } from './chromium.mjs';

const firstStartMs = 180_000;
const secondStartMs = 10_000;
const isRoot = process.getuid?.() === 0;
/** An ordinary account on every Debian. */
const otherUser = 'daemon';
/** A new user's PATH does not contain this project, as that of `npm run` does. */
const userPath = (process.env.PATH ?? '')
  .split(path.delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(path.delimiter);
const results = [];

/** Its text comes from a script, and a button changes it. */
const APP = `<!doctype html><title>App</title><div id="root"></div><noscript>You need to enable JavaScript</noscript>
<script>document.querySelector('#root').innerHTML = '<h1>Rendered</h1>' + '<p>By a script, in words. '.repeat(50) +
'<button onclick="document.querySelector(&quot;h1&quot;).textContent = 6 * 7">Ask</button>'</script>`;
/** Programs of this machine that a new user's machine does not have. */
const hidden = isRoot ? USUAL_PLACES.filter((place) => existsSync(place)) : [];
const cases = [
  { who: os.userInfo().username },
  ...(isRoot ? [{ who: 'root below a closed folder', isClosed: true }] : []),
  ...(isRoot ? [{ who: `${otherUser}, home read-only`, user: otherUser }] : []),
];

const site = createServer((request, response) => {
  if (request.url === '/robots.txt') return response.writeHead(404).end();
  if (request.url === '/app') return response.setHeader('content-type', 'text/html').end(APP);
  response
    .setHeader('content-type', 'text/html')
    // A crawl keeps one of two pages that are the same.
    .end(
      `<title>Example site</title><h1>Hello</h1><p>This is ${request.url}</p><a href="/two">two</a>`,
    );
});
await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
const sitePort = site.address().port;

for (const one of cases) await tryAs(one);
site.close();
const failed = results.filter((ok) => !ok).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function tryAs({ who, user, isClosed = false }) {
  const base = mkdtempSync(path.join(os.tmpdir(), 'trawl-start-'));
  chmodSync(base, isClosed ? 0o700 : 0o755);
  const clone = path.join(base, 'trawl');
  try {
    execFileSync('git', ['clone', '--quiet', root, clone]);
    const home = path.join(base, 'home');
    cpSync(path.join(root, '.editorconfig'), path.join(home, '.keep'));
    if (user) execFileSync('chown', ['-R', user, clone]);
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const context = { user, clone, home, port };

    const first = await start(context, firstStartMs);
    check(
      `${who}: npm start in a fresh clone is up within 180 s`,
      first.welcome !== null,
      `${first.seconds} s`,
    );
    if (first.welcome === null) return console.log(first.output());
    await checkCommands(who, first.welcome, context);
    await checkRendering(who, context);
    checkBanner(who, first.output(), context);
    checkHelp(who, context);
    checkTakenPort(who, context);
    await stop(first, 'SIGINT');
    check(`${who}: Ctrl-C leaves no process`, (await leftOver(clone)).length === 0, '');

    const second = await start(context, firstStartMs);
    const isFast = second.welcome !== null && second.seconds < secondStartMs / 1_000;
    check(`${who}: the second start is up within 10 s`, isFast, `${second.seconds} s`);
    await stop(second, 'SIGKILL');
    check(`${who}: kill -9 leaves no process`, (await leftOver(clone)).length === 0, '');

    const third = await start(context, firstStartMs);
    check(`${who}: it starts again after kill -9`, third.welcome !== null, `${third.seconds} s`);
    if (third.welcome) await checkCommands(who, third.welcome, context);
    await stop(third, 'SIGTERM');
    check(`${who}: SIGTERM leaves no process`, (await leftOver(clone)).length === 0, '');
  } finally {
    // Of a database that its user could not reach in the clone.
    for (const data of ['.data', '.other-data']) {
      const note = path.join(clone, data, 'postgres-at');
      if (existsSync(note)) rmSync(readFileSync(note, 'utf8').trim(), { recursive: true });
    }
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

function environment({ home, port }) {
  const own = `http://127.0.0.1:${sitePort}/`;
  return {
    PATH: userPath,
    HOME: home,
    ...(process.env.npm_config_registry
      ? { npm_config_registry: process.env.npm_config_registry }
      : {}),
    PORT: String(port),
    EXAMPLE_URL: own,
    FETCH_ALLOW_PRIVATE: `127.0.0.1/32:${sitePort}`,
  };
}

function asUser(user, command) {
  const own = user
    ? ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', ...command]
    : command;
  const [program, ...args] = hidden.length === 0 ? own : withoutBrowsers(own);
  return [program, args];
}

/** In a mount namespace where nothing can be run in the usual places of browsers. */
function withoutBrowsers(command) {
  const mounts = hidden.map((place) => `mount --bind /dev/null ${place}`).join(' && ');
  return ['unshare', '--mount', 'sh', '-c', `${mounts} && exec "$@"`, 'sh', ...command];
}

async function start(context, timeoutMs) {
  const startedAt = Date.now();
  const [command, args] = asUser(context.user, ['npm', 'start']);
  const child = spawn(command, args, {
    cwd: context.clone,
    env: environment(context),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += data));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let ended = false;
  void exited.then(() => (ended = true));
  while (!ended && !text.includes('Ctrl-C stops everything') && Date.now() - startedAt < timeoutMs)
    await pause(50);
  const isUp = text.includes('Ctrl-C stops everything');
  const seconds = (Date.now() - startedAt) / 1_000;
  return { child, exited, seconds, welcome: isUp ? text : null, output: () => text };
}

/** To the whole group, as a terminal does. */
async function stop({ child, exited }, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has already ended, which later checks report.
  }
  await exited;
}

/** Runs the three printed lines in one shell, as a user who pastes them does. */
async function checkCommands(who, welcome, { user, clone, home }) {
  const lines = welcome.split('\n').filter((line) => /^(JOB=\$\()?curl /.test(line));
  check(`${who}: three commands are printed`, lines.length === 3, '');
  const script = `${lines[0]}\necho\n${lines[1]} 2>/dev/null\nfor i in $(seq 100); do OUT=$(${lines[2]}); case "$OUT" in *'"status":"completed"'*) break;; esac; sleep 0.1; done\necho "$OUT"`;
  const [command, args] = asUser(user, ['bash', '-c', script]);
  // Not spawnSync: this process serves the example site.
  const child = spawn(command, args, { cwd: clone, env: { PATH: userPath, HOME: home } });
  let text = '';
  child.stdout.on('data', (data) => (text += data));
  await new Promise((resolve) => child.once('exit', resolve));
  const [scrape = '{}', status = '{}'] = text.trim().split('\n');
  check(
    `${who}: the printed scrape works`,
    parse(scrape).markdown?.includes('# Hello') === true,
    scrape.slice(0, 80),
  );
  const job = parse(status);
  check(
    `${who}: the printed crawl and its status work`,
    job.status === 'completed' && job.pages_scraped === 2,
    status.slice(0, 120),
  );
}

/** A page that a script fills, its picture, and a click on it. */
async function checkRendering(who, { clone, port }) {
  const key = readFileSync(path.join(clone, '.data/dev-key'), 'utf8').trim();
  const url = `http://127.0.0.1:${sitePort}/app`;
  const call = async (route, body) => {
    const startedAt = Date.now();
    const response = await fetch(`http://127.0.0.1:${port}${route}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ url, ...body }),
    });
    return { ...(await response.json()), tookMs: Date.now() - startedAt };
  };
  const page = await call('/v1/scrape', {});
  const isRendered = page.markdown?.includes('# Rendered') === true;
  check(`${who}: a page that needs scripts is rendered`, isRendered, `${page.tookMs} ms`);
  const { base64 = '', tookMs } = await call('/v1/screenshot', {});
  const picture = Buffer.from(base64, 'base64');
  // A page without fonts, so without its words, is a third of that.
  const isPicture = picture.subarray(1, 4).toString() === 'PNG' && picture.length > 20_000;
  check(`${who}: a screenshot shows it`, isPicture, `${picture.length} bytes, ${tookMs} ms`);
  const clicked = await call('/v1/scrape', { actions: [{ type: 'click', selector: 'button' }] });
  check(`${who}: an action clicks in it`, clicked.markdown?.includes('# 42') === true, '');
}

/** The welcome text names the account page, and no log line of the start follows it. */
function checkBanner(who, output, { port }) {
  const [before, after = ''] = output.split('Ctrl-C stops everything.');
  check(
    `${who}: the account page is named`,
    before.includes(`http://127.0.0.1:${port}/dashboard`),
    '',
  );
  check(`${who}: the banner names the browser`, /rendered by Chromium \d/.test(before), '');
  const late = after.match(
    /"msg":"(ready|pages that need scripts are rendered|fingerprints compiled|listening)"/,
  );
  check(`${who}: the banner comes last`, late === null, late === null ? '' : after.slice(0, 2_000));
  const isShown = /installing \d+ packages.*about \d+ MB/.test(before);
  check(`${who}: the install says what it does`, isShown, '');
}

function checkHelp(who, context) {
  const [command, args] = asUser(context.user, ['npm', 'start', '--', '--help']);
  const options = { cwd: context.clone, env: environment(context), encoding: 'utf8' };
  const { status, stdout } = spawnSync(command, args, options);
  check(`${who}: npm start -- --help`, status === 0 && stdout.includes('Usage: npm start'), '');
}

function checkTakenPort(who, context) {
  const [command, args] = asUser(context.user, ['npm', 'start']);
  const env = { ...environment(context), DATA_DIR: path.join(context.clone, '.other-data') };
  const { status, stderr, stdout } = spawnSync(command, args, {
    cwd: context.clone,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  const text = `${stdout}${stderr}`;
  check(
    `${who}: a taken port is reported clearly`,
    status !== 0 && text.includes(`Port ${context.port} on 127.0.0.1 is taken`),
    '',
  );
}

/** Processes whose command line or working folder is in the clone, after some time to end. */
async function leftOver(clone) {
  for (let tries = 0; ; tries++) {
    const pids = readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && belongsTo(name, clone),
    );
    if (pids.length === 0 || tries >= 100) return pids;
    await pause(100);
  }
}

function belongsTo(pid, clone) {
  try {
    const file = (name) => readFileSync(`/proc/${pid}/${name}`, 'utf8');
    return existsSync(`/proc/${pid}`) && file('cmdline').includes(clone);
  } catch {
    // It ended meanwhile.
    return false;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function check(what, ok, detail) {
  results.push(ok);
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}${detail ? ` (${detail})` : ''}`);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
