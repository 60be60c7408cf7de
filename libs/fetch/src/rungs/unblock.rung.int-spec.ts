import { EgressGuard, HttpClient } from '@app/egress';
import { startFakeUnblockProvider, startLeakCheck } from '@app/testing';
import { fetchRequest, loopbackGuard } from '../../test/fetch-request.js';
import { startBench } from '../../test/impersonation-bench.js';
import { Spend } from '../spend.js';
import { parseHttpProvider } from '../unblock/http-provider-setting.js';
import { HttpProvider } from '../unblock/http.provider.js';
import { UnblockRung } from './unblock.rung.js';

it('gets past a gate with a paid provider where the free one does not, within the ceiling', async () => {
  const leaks = startLeakCheck();
  const bench = await startBench(({ response }) => void response.writeHead(403).end('gate'));
  const fake = await startFakeUnblockProvider({ html: '<p>behind the gate</p>' });
  const http = new HttpClient({
    guard: EgressGuard.forEndpoint(fake.postUrl),
    userAgent: 'Test/1',
    connectTimeoutMs: 60_000,
    headersTimeoutMs: 60_000,
  });
  const { guard } = loopbackGuard([bench.site.port]);
  const paid = new HttpProvider({
    setting: parseHttpProvider(fake.settingText('post')),
    http,
    guard,
  });
  const rung = new UnblockRung({ providers: [bench.provider, paid] });
  const withCeiling = (microUsd: number) =>
    rung.fetch(fetchRequest(bench.site.url(), { spend: new Spend(microUsd) }));
  const free = { provider: 'impersonate', outcome: 'blocked', costClass: 'free' };
  expect(await withCeiling(1_500)).toMatchObject({
    ok: true,
    page: { statusCode: 200, bytes: 22 },
    unblock: [free, { provider: 'fake-post', outcome: 'ok', costClass: 'paid' }],
  });
  expect(await withCeiling(1_499)).toMatchObject({
    ok: true,
    page: { statusCode: 403 },
    unblock: [free, { provider: 'fake-post', errorClass: 'cost_ceiling', latencyMs: 0 }],
  });
  expect(fake.requests).toHaveLength(1);
  await rung.close();
  await http.close();
  await bench.close();
  await fake.close();
  await leaks.assertClean();
});
