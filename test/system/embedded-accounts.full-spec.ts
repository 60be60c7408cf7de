import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createTenant } from '@app/accounts';
import { until } from '@app/testing';
import { enterByLink, linkIn, linksIn, printedMail, requestLink } from './dashboard-mail-run.js';
import { DashboardRun } from './dashboard-run.js';
import { deployEmbedded, startStandalone, type Deployment } from './deployment.js';
import { adminJson, knock, provision, runAdminCommand } from './keys-run.js';

describe('the accounts of an embedded service with default settings', () => {
  let run: DashboardRun<Deployment>;
  let service: Deployment;

  beforeAll(async () => {
    run = await DashboardRun.start(() => deployEmbedded({ env: { BROWSER_MAX: '0' } }));
    ({ service } = run);
  });
  afterAll(() => run?.stop());

  it('prints links in the log where no mail server is set up', async () => {
    const email = 'printed@example.com';
    await createTenant(run.service.database, 'printed', 'free', email);
    const visit = await run.visit();
    await requestLink(visit, email);
    expect(await visit.page.locator('main').innerText()).toContain('printed in the log');
    const line = await until(
      () => run.service.apiLog((one) => linksIn(printedMail(one)).length > 0)[0],
      { what: 'the link in the log' },
    );
    await enterByLink(visit, linkIn(printedMail(line)));
    await visit.close();
  });

  it('counts new keys by the address of the connection, whatever the client claims', async () => {
    const got: number[] = [];
    for (let n = 0; n < 7; n++)
      got.push((await provision(service.url, { forwardedFor: `203.0.113.${n}` })).status);
    expect(got).toEqual([201, 201, 201, 201, 201, 429, 429]);
  });

  it('is in the reach of an operator also when it is stopped', async () => {
    const [first] = service.apps;
    await first?.process.stop('SIGTERM');
    await service.database.close();
    const { code, out } = await runAdminCommand(service, ['tenant', 'list', '--json']);
    expect([code, (JSON.parse(out) as unknown[]).length]).toEqual([0, 7]);
    const made = await adminJson<{ apiKey: string }>(service, 'key', 'create', 'first tenant');
    const again = await startStandalone(service.env);
    service.apps.push(again);
    expect((await knock(again.url, made.apiKey)).status).toBe(200);
    const devKey = await readFile(path.join(service.env['DATA_DIR'] ?? '', 'dev-key'), 'utf8');
    expect((await knock(again.url, devKey.trim())).status).toBe(200);
  });
});
