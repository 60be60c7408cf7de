import { planMoments } from './fault-plan.js';

const OPTIONS = {
  seed: 7,
  victims: { api: 4, fetcher: 4, rabbitmq: 1 },
  kills: 60,
  pages: 500,
  batches: 6,
} as const;

describe('the moments of a fault run', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(planMoments(OPTIONS)).toEqual(planMoments(OPTIONS));
    expect(planMoments({ ...OPTIONS, seed: 8 })).not.toEqual(planMoments(OPTIONS));
  });

  it('hold every kill and every batch that was requested, over the whole crawl', () => {
    const moments = planMoments(OPTIONS);
    expect(moments.flatMap(({ victims }) => victims)).toHaveLength(OPTIONS.kills);
    expect(moments.filter(({ batchLeadMs }) => batchLeadMs !== null)).toHaveLength(6);
    const places = moments.map(({ atPages }) => atPages);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeLessThan(OPTIONS.pages / 5);
    expect(places.at(-1)).toBeGreaterThan((OPTIONS.pages * 4) / 5);
  });

  it('sometimes strike two different processes at once', () => {
    const pairs = planMoments(OPTIONS).filter(({ victims }) => victims.length === 2);
    expect(pairs.length).toBeGreaterThan(0);
    for (const { victims } of pairs) expect(new Set(victims).size).toBe(2);
  });

  it('request batches just before the process that accepts them dies', () => {
    for (const { victims, batchLeadMs } of planMoments(OPTIONS))
      if (batchLeadMs !== null) expect(victims).toContain('api');
  });
});
