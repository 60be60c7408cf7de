// Runs due feeds until it is killed: each run yields the rows of all ticks so far, in parts of three.
// Usage: node feed-worker.mjs <database URL>
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../dist/libs/contracts/src/index.js';
import { Database } from '../../dist/libs/database/src/index.js';
import { addFeedRows, claimFeed, endFeedRun, knownRows } from '../../dist/libs/runs/src/index.js';

const LEASE_MS = 300;
const PART = 3;
const database = new Database({
  url: process.argv[2],
  poolSize: 2,
  applicationName: 'feed worker',
});
await database.connect();
const termsOf = () => ({ credits: 1, rows: 1, maxRows: 1_000 });

for (;;) {
  const feed = await claimFeed(database, { leaseMs: LEASE_MS, termsOf });
  if (feed === null) {
    await delay(10);
    continue;
  }
  await runFeed(feed);
}

async function runFeed(feed) {
  for (let first = 0; first < feed.params.rows; first += PART) {
    const names = Array.from({ length: PART }, (_, at) => `row ${first + at}`);
    const keys = names.map((name) => createHash('sha256').update(name).digest());
    const known = await knownRows(database, feed, keys);
    const rows = names.flatMap((name, at) => {
      const before = known.get(keys[at].toString('hex'));
      if (before?.isCounted) return [];
      const kind = before === undefined ? 'new' : 'known';
      return [{ key: keys[at], kind, data: JSON.stringify({ name }) }];
    });
    const fresh = rows
      .filter(({ kind }) => kind === 'new')
      .map(({ data }) => JSON.parse(data).name);
    const event = fresh.length === 0 ? null : { id: newId(), body: JSON.stringify(fresh) };
    const part = { rows, event, costMicroUsd: 0, leaseMs: LEASE_MS };
    if ((await addFeedRows(database, feed, part)) === null) return;
    process.stdout.write('part\n');
  }
  await endFeedRun(database, feed, { error: null, pausedBody: () => '{}' });
  process.stdout.write('end\n');
}
