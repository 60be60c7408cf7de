import { NO_ANSWER } from '@app/testing';
import { BrandRun, linked, sheet, slowSheet, times } from './brand-run.js';
import { MODES } from './deployment.js';
import type { Pages } from './map-run.js';

/** `brand.e2e-spec.ts` has the other reasons of `brand_meta`. */
describe.each(MODES)('brands of sites whose sheets come late, %s', (mode) => {
  let run: BrandRun;

  beforeAll(async () => {
    run = await BrandRun.start(mode);
  });
  afterAll(() => run?.service.stop());
  afterEach(() => run?.closeSites());

  it('stylesheet_timeout: absent for a sheet of 3 s, named for one that never arrives; the rest is read', async () => {
    const slow = linked([slowSheet('p{color:#a00}', 3_000), sheet('p{color:#0a0}')]);
    expect(await run.reasons(slow)).toEqual([]);
    const site = await run.open(linked([NO_ANSWER, sheet('p{color:#0a0}')]));
    const startedAtMs = performance.now();
    const { brand_meta: meta, colors } = await run.read(site);
    expect([meta.reasons, colors[0]?.hex]).toEqual([['stylesheet_timeout'], '#00aa00']);
    expect(performance.now() - startedAtMs).toBeLessThan(6_000);
  });

  it('stylesheet_budget: absent for slow sheets of 5 s together, named for those of more than 6', async () => {
    const sheets = (count: number): Pages =>
      linked(times(count, () => slowSheet('p{color:#0a0}', 2_500)));
    expect(await run.reasons(sheets(12))).toEqual([]);
    const site = await run.open(sheets(13));
    const startedAtMs = performance.now();
    const { brand_meta: meta, colors } = await run.read(site);
    expect([meta.reasons, colors[0]?.hex]).toEqual([['stylesheet_budget'], '#00aa00']);
    expect(performance.now() - startedAtMs).toBeLessThan(9_000);
  });

  it('are named in the branding of a scrape', async () => {
    const styled = sheet('.btn{background:#e4572e;color:#fff;padding:1em}');
    const button = '<button class="btn">Buy now</button>';
    const pages = linked([styled, slowSheet('p{color:red}', 30_000)], '', button);
    expect(await run.branding(pages)).toMatchObject({
      colors: { primary: '#e4572e' },
      brand_meta: { partial: true, reasons: ['stylesheet_timeout'] },
    });
  });
});
