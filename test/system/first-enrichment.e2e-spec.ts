import { MODES } from './deployment.js';
import { EnrichFixture } from './enrich-run.js';

describe.each(MODES)('the first enrichment after a start, %s', (mode) => {
  let run: EnrichFixture;
  beforeAll(async () => {
    run = await EnrichFixture.start(mode);
  }, 120_000);
  afterAll(() => run?.stop(), 60_000);

  it('has its technologies: the scanner accepts pages only when its threads are ready', async () => {
    const site = await run.open({
      '/': '<html><head><meta name="generator" content="WordPress 6.4.2"></head><body>Acme</body></html>',
    });
    const { tech_stack, tech_meta } = await run.enrich({ domain: site.url(), maxPages: 1 });
    expect(tech_stack).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'WordPress' })]),
    );
    expect(tech_meta).toMatchObject({ partial: false });
  }, 60_000);
});
