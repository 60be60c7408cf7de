// Spans of a trace, by the OpenTelemetry API. Until `startTracing` has started an exporter nothing is recorded, and none
// of this costs more than a comparison.
import {
  type Attributes,
  context,
  type Context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Values never hold addresses with a query, headers, or anything else that a tenant may keep secret. */
export type SpanAttributes = Attributes;

export interface SpanTerms {
  /** @default 'internal' */
  readonly kind?: 'internal' | 'server' | 'producer' | 'consumer';
  readonly attributes?: SpanAttributes;
  /**
   * `traceparent` (W3C Trace Context) of the parent, from another process; null: the span begins a trace.
   * @default the span that is active here
   */
  readonly parent?: string | null;
}

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;
const NAME = 'trawl';

let isOn = false;

/** For `startTracing`: spans are recorded from now on. */
export function recordSpans(isRecording: boolean): void {
  isOn = isRecording;
}

/** A span that its caller ends. */
export class OpenSpan {
  constructor(
    private readonly span: Span,
    private readonly at: Context,
  ) {}

  /** Runs the work with this span as the active one. */
  run<T>(work: () => T): T {
    return context.with(this.at, work);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  /** @param type of the error: its text may quote a page or a request */
  fail(type: string): void {
    this.span.setAttribute('error.type', type);
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** The header that carries this span to another process. */
  get traceparent(): string | undefined {
    const carrier: { traceparent?: string } = {};
    propagation.inject(this.at, carrier);
    return carrier.traceparent;
  }

  end(): void {
    this.span.end();
  }
}

/** Null if nothing is traced. */
export function openSpan(name: string, terms: SpanTerms = {}): OpenSpan | null {
  if (!isOn) return null;
  const { kind = 'internal', attributes = {}, parent } = terms;
  const from = parent === undefined ? context.active() : contextOf(parent);
  const span = trace.getTracer(NAME).startSpan(name, { kind: KINDS[kind], attributes }, from);
  return new OpenSpan(span, trace.setSpan(from, span));
}

/** Runs the work in a span, which ends with it; rejects as the work does. */
export async function inSpan<T>(
  name: string,
  terms: SpanTerms,
  work: (span: OpenSpan | null) => Promise<T>,
): Promise<T> {
  const span = openSpan(name, terms);
  if (span === null) return work(null);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(error instanceof Error ? error.name : typeof error);
    throw error;
  } finally {
    span.end();
  }
}

/** Records something that has ended just now, as a child of the active span; without one it is not recorded. */
export function recordSpan(
  name: string,
  seconds: number,
  { attributes = {}, failed = false }: { attributes?: SpanAttributes; failed?: boolean } = {},
): void {
  if (!isOn || trace.getActiveSpan() === undefined) return;
  const endTime = Date.now();
  const startTime = endTime - seconds * 1_000;
  const span = trace.getTracer(NAME).startSpan(name, { startTime, attributes });
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endTime);
}

/** Adds to the active span, if there is one. */
export function annotateSpan(attributes: SpanAttributes): void {
  if (isOn) trace.getActiveSpan()?.setAttributes(attributes);
}

/** For lines of the log; empty outside of a trace. */
export function traceIds(): { readonly trace_id?: string; readonly span_id?: string } {
  const found = isOn ? trace.getActiveSpan()?.spanContext() : undefined;
  return found ? { trace_id: found.traceId, span_id: found.spanId } : {};
}

function contextOf(parent: string | null): Context {
  return parent === null
    ? ROOT_CONTEXT
    : propagation.extract(ROOT_CONTEXT, { traceparent: parent });
}
