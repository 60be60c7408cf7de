import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readBalance } from '@app/accounts';
import { spawnApp, TrawlClient, until } from '@app/testing';
import { createCaller, deployCluster, type Deployment } from './deployment.js';

const ROWS = 600;
/** More than a pull may lose workers without a new row. */
const KILLS = 6;

/** Rows that come slowly, so that a process is killed among them. */
const SLOW_CONNECTOR = `
import { setTimeout as delay } from 'node:timers/promises';
async function* rows(count) {
  for (let no = 0; no < count; no++) {
    await delay(15);
    yield { no };
  }
}
export default {
  id: 'slow_rows',
  title: 'Slow rows',
  description: 'Rows that come slowly.',
  params: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'], additionalProperties: false },
  schema: { type: 'object', properties: { no: { type: 'integer' } }, required: ['no'], additionalProperties: false },
  pricePerRecordUsd: 0.0024,
  keyOf: (row) => String(row.no),
  match: () => null,
  preview: async ({ count }) => ({ rows: [{ no: 0 }], estimatedRows: count }),
  async *run({ count }) { yield* rows(count); },
};
`;

interface PullBody {
  readonly jobId: string;
  readonly status: string;
  readonly total: number;
  readonly creditsUsed: number;
  readonly error: string | null;
}

describe('a pull while the API is killed -9', () => {
  let service: Deployment;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'trawl-pull-kills-'));
    await writeFile(path.join(folder, 'slow.mjs'), SLOW_CONNECTOR);
    const env = { BROWSER_MAX: '0', CONNECTORS_DIR: folder };
    service = await deployCluster({ fetchers: 0, env });
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('has each row once and is charged by row, however often its worker is lost', async () => {
    const { id: tenantId, key } = await createCaller(service.database, 'pull kills', 'pro');
    let client = new TrawlClient(service.url, key);
    const order = { connectorId: 'slow_rows', params: { count: ROWS }, maxResults: ROWS };
    const preview = await client.call('POST', '/v1/preview', order);
    expect([preview.status, preview.text.slice(0, 300)]).toEqual([200, expect.anything()]);
    const { jobId } = preview.body as PullBody;
    const before = (await readBalance(service.database, tenantId))?.remaining ?? 0;
    expect((await client.call('POST', '/v1/pull', { jobId })).status).toBe(202);
    const view = async () => {
      const { status, body, text } = await client.call('GET', `/v1/pull/${jobId}`);
      if (status !== 200) throw new Error(`${status}: ${text.slice(0, 200)}`);
      return body as PullBody;
    };
    let rows = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const last = await until(
        async () => {
          const now = await view();
          return now.total > rows || now.status === 'failed' ? now : null;
        },
        { what: `more than ${rows} rows of the pull`, timeoutMs: 60_000 },
      );
      expect(last.error).toBeNull();
      const [doomed] = service.apps.splice(0, 1);
      await doomed?.process.kill9();
      const next = await spawnApp({ app: 'api', env: service.env });
      service.apps.push(next);
      client = new TrawlClient(next.url, key);
      // It may answer 503 until it has its database.
      ({ total: rows } = await until(view, { what: 'the state of the pull', timeoutMs: 30_000 }));
    }
    await until(async () => !['queued', 'running'].includes((await view()).status), {
      what: 'the end of the pull',
      timeoutMs: 120_000,
    });
    expect(await view()).toMatchObject({
      ...{ status: 'completed', total: ROWS, creditsUsed: ROWS, error: null },
    });
    const answer = await client.call('GET', `/v1/pull/${jobId}/results?limit=1000`);
    const { rows: read } = answer.body as { readonly rows: readonly { readonly no: number }[] };
    expect(read.map(({ no }) => no)).toEqual(Array.from({ length: ROWS }, (_, no) => no));
    const text =
      'SELECT coalesce(sum(credits), 0)::int AS n FROM credit_ledger WHERE tenant_id = $1';
    const [spent] = await service.database.query<{ n: number }>({ name: 'spent', text }, [
      tenantId,
    ]);
    expect(spent?.n).toBe(ROWS);
    const after = (await readBalance(service.database, tenantId))?.remaining ?? 0;
    expect(before - after).toBe(ROWS);
  }, 400_000);
});
