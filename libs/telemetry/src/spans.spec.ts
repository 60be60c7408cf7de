import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { annotateSpan, inSpan, openSpan, recordSpan, recordSpans, traceIds } from './spans.js';

describe('spans', () => {
  const exporter = new InMemorySpanExporter();
  const recorded = () => exporter.getFinishedSpans().map(({ name }) => name);

  beforeAll(() => {
    const spanProcessors = [new SimpleSpanProcessor(exporter)];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  });
  beforeEach(() => {
    exporter.reset();
    recordSpans(true);
  });
  afterAll(() => {
    recordSpans(false);
    trace.disable();
    context.disable();
  });

  it('are not recorded until a collector is set', async () => {
    recordSpans(false);
    expect(openSpan('any')).toBeNull();
    expect(await inSpan('any', {}, async (span) => span)).toBeNull();
    expect(traceIds()).toEqual({});
    expect(recorded()).toEqual([]);
  });

  it('take what is added to the active one', async () => {
    annotateSpan({ lost: 1 });
    await inSpan('outer', { parent: null }, async () => annotateSpan({ 'trawl.job.id': 'j1' }));
    expect(exporter.getFinishedSpans()[0]?.attributes).toEqual({ 'trawl.job.id': 'j1' });
  });

  it('give the log their ids, which end with them', async () => {
    const ids = await inSpan('outer', { parent: null }, async () => traceIds());
    const [span] = exporter.getFinishedSpans();
    expect(ids).toEqual({
      trace_id: span?.spanContext().traceId,
      span_id: span?.spanContext().spanId,
    });
    expect(traceIds()).toEqual({});
  });

  it('are recorded after the fact as children of the active one, with the time that has passed', async () => {
    recordSpan('alone', 1);
    await inSpan('outer', { parent: null }, async () => recordSpan('put', 2, { failed: true }));
    expect(recorded()).toEqual(['put', 'outer']);
    const [put, outer] = exporter.getFinishedSpans();
    expect(put?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
    expect(put?.duration).toEqual([2, 0]);
    expect(put?.status.code).toBe(2);
  });

  it('tell that their work failed by the name of the error alone, and pass it on', async () => {
    const work = inSpan('work', { parent: null }, () =>
      Promise.reject(new TypeError('a secret of the page')),
    );
    await expect(work).rejects.toThrow('a secret of the page');
    const [span] = exporter.getFinishedSpans();
    expect(span?.attributes).toEqual({ 'error.type': 'TypeError' });
    expect(JSON.stringify([span?.events, span?.status])).not.toContain('secret');
  });
});
