import type { IncomingMessage } from 'node:http';
import { until, type JobResponse } from '@app/testing';
import { MODES } from './deployment.js';
import { HeldPages } from './held-pages.js';
import { eventsOf, type ServerEvent } from './results-reading.js';
import {
  collectEvents,
  documentsOf,
  numbersOf,
  CRAWL_PAGES,
  ResultsFixture,
} from './results-fixture.js';
import { share } from './shared-cluster.js';

describe.each(MODES)('the live tail of results, %s', (mode) => {
  let fixture: ResultsFixture;

  beforeAll(async () => {
    fixture = await ResultsFixture.start(() => share(mode));
  });
  afterAll(() => fixture?.stop());

  it('has each document once and in order while the crawl runs, then the end', async () => {
    const held = new HeldPages(fixture.site, 30);
    const jobId = await fixture.begin({ url: held.url, limit: 30 });
    const events: ServerEvent[] = [];
    let runningAtFirst = '';
    for await (const event of eventsOf(await fixture.open(`/v1/crawl/${jobId}/events`))) {
      if (event.event === 'document' && runningAtFirst === '')
        runningAtFirst = (await fixture.client.job(jobId)).status;
      events.push(event);
      // The last pages come when a state with the first of them has come.
      if (event.event === 'status' && runningAtFirst !== '') held.release();
      else if (events.length === 1) held.answer(10);
    }
    expect(runningAtFirst).toBe('running');
    expect(numbersOf(events)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    expect(documentsOf(events)).toEqual(await fixture.client.results(jobId));
    const states = events.flatMap(({ event, data }) =>
      event === 'status' ? [data as JobResponse] : [],
    );
    const { result_url: _, ...view } = await fixture.client.job(jobId);
    expect(states.at(-1)).toMatchObject(view);
    expect(states.length).toBeGreaterThan(2);
    expect(events.at(-1)).toEqual({ event: 'end', id: 'end', data: { status: 'completed' } });
  });

  it('continues after the last event of a reader, and does not start again after the end', async () => {
    const events = await collectEvents(await fixture.ofJob('events', { 'last-event-id': '15' }));
    expect(numbersOf(events)).toEqual(Array.from({ length: CRAWL_PAGES - 15 }, (_, n) => n + 16));
    expect((await fixture.ofJob('events', { 'last-event-id': 'end' })).statusCode).toBe(204);
    expect((await fixture.ofJob('events', { 'last-event-id': 'x' })).statusCode).toBe(400);
    expect(
      numbersOf(await collectEvents(await fixture.ofJob(`events?cursor=${CRAWL_PAGES}`))),
    ).toEqual([]);
  });

  it('answers HEAD at once, and holds no place for it', async () => {
    for (let n = 0; n < 25; n++) {
      const response = await fetch(`${fixture.url}/v1/crawl/${fixture.job.id}/events`, {
        method: 'HEAD',
        headers: { 'x-api-key': fixture.service.key },
      });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/event-stream');
    }
  });

  it('is bounded for each tenant, and a place is free when its reader leaves', async () => {
    const held = new HeldPages(fixture.site, 1);
    const jobId = await fixture.begin({ url: held.url, limit: 50 });
    const tail = () => fixture.open(`/v1/crawl/${jobId}/events`);
    const tails: IncomingMessage[] = [];
    for (let n = 0; n < 20; n++) tails.push(await tail());
    const refused = await tail();
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBeDefined();
    expect((await fixture.open('/v1/jobs')).statusCode).toBe(200);
    tails.pop()?.destroy();
    await until(
      async () => {
        const again = await tail();
        again.destroy();
        return again.statusCode === 200;
      },
      { what: 'a free place' },
    );
    for (const one of tails) one.destroy();
    await fixture.client.cancel(jobId);
    held.release();
  });
});
