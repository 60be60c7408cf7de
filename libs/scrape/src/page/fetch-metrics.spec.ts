import { ERROR_CLASSES } from '@app/contracts';
import { Metrics } from '@app/telemetry';
import { observeFetch } from './fetch-metrics.js';
import { NOT_REQUESTED, type PageResult } from './page-result.js';

const failed = (errorClass: (typeof ERROR_CLASSES)[number]): PageResult => ({
  ...NOT_REQUESTED,
  errorClass,
  problem: 'p',
});

describe('fetched pages are counted', () => {
  async function countedAs(result: PageResult): Promise<string | undefined> {
    const metrics = new Metrics();
    observeFetch(metrics, result);
    const text = await metrics.registry.metrics();
    return /^trawl_fetch_requests_total\{(.*)\} 1$/m.exec(text)?.[1];
  }

  it('as succeeded, by the method that served them', async () => {
    const attempt = {
      rung: 'headless',
      level: 3,
      ok: true,
      latencyMs: 1,
      errorClass: null,
    } as const;
    const report = { level: 3, attempts: [attempt], unblock: [] };
    expect(await countedAs({ kind: 'not_modified', report })).toBe(
      'outcome="succeeded",error_origin="none",final_rung="headless"',
    );
  });

  it('as blocked by the egress guard', async () => {
    expect(await countedAs({ kind: 'blocked', url: 'http://10.0.0.1/' })).toBe(
      'outcome="blocked",error_origin="target",final_rung="none"',
    );
  });

  it.each(ERROR_CLASSES)('as the fault of the site, or of the service (%s)', async (errorClass) => {
    const isOurs = ['unknown', 'provider_error'].includes(errorClass);
    const isBlocked = ['blocked', 'robots'].includes(errorClass);
    expect(await countedAs(failed(errorClass))).toBe(
      `outcome="${isBlocked ? 'blocked' : 'failed'}",error_origin="${isOurs ? 'service' : 'target'}",final_rung="none"`,
    );
  });
});
