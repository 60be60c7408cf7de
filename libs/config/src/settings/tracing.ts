import { address, checked, fraction, type Field } from '../fields.js';
import { parseOtlpHeaders } from '../otlp-headers.js';

/** Traces; the names are those of the OpenTelemetry specification. */
export const TRACING_SETTINGS = {
  otlpEndpoint: address(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Collector that receives traces over OTLP/HTTP (JSON, at /v1/traces below it); without it nothing is traced.',
    ['http://', 'https://'],
  ),
  otlpHeaders: checked(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'Headers for the collector: comma-separated key=value, values percent-encoded.',
    parseOtlpHeaders,
    { fallback: '', isSecret: true },
  ),
  tracesShare: fraction(
    'OTEL_TRACES_SAMPLER_ARG',
    'Share of traces that are kept, 0 to 1, chosen by trace id: the same in every process that is set so.',
    { fallback: 1 },
  ),
} as const satisfies Record<string, Field<unknown>>;
