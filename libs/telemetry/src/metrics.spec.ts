import { Metrics } from './metrics.js';

describe('Metrics', () => {
  it('exposes names with the prefix and base units, and none that the linter of Prometheus refuses', async () => {
    const text = await new Metrics().registry.metrics();
    const names = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type = '']) => ({
      name,
      type,
    }));
    const own = names.filter(({ name }) => name.startsWith('trawl_'));
    expect(own.length).toBeGreaterThan(30);
    for (const { name, type } of own) {
      expect([name, /_(ms|millis|kb)(_|$)/.test(name)]).toEqual([name, false]);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    }
    expect(names.filter(({ name, type }) => type === 'gauge' && name.endsWith('_total'))).toEqual(
      [],
    );
  });

  it('starts known series at zero, so that their first increment is seen', async () => {
    const text = await new Metrics().registry.metrics();
    expect(text).toContain(
      'trawl_fetch_attempts_total{rung="plain",outcome="failed",error_class="timeout"} 0',
    );
    expect(text).toContain('trawl_jobs_completed_total{type="crawl",outcome="completed"} 0');
    for (const change of ['new', 'changed', 'same', 'gone'])
      expect(text).toContain(`trawl_recrawl_pages_total{change="${change}"} 0`);
  });
});
