import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export interface SeenSpan {
  /** Of the process that recorded it: `trawl-api`, `trawl-fetcher`, … */
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface OtlpCollector {
  readonly url: string;
  readonly spans: readonly SeenSpan[];
  /** Everything that was posted, as text. */
  readonly texts: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
  close(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface Posted {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<SeenSpan, 'service' | 'attributes'> & {
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  }[];
}

/** A collector of traces on loopback: OTLP over HTTP, JSON. With `hangs` it never answers. */
export async function startCollector({ hangs = false } = {}): Promise<OtlpCollector> {
  const [spans, texts, headers] = [[], [], []] as [SeenSpan[], string[], IncomingHttpHeaders[]];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const text = (request.headers['content-encoding'] ? gunzipSync(body) : body).toString();
      texts.push(text);
      headers.push({ ...request.headers, path: request.url });
      spans.push(...spansOf(JSON.parse(text) as Posted));
      if (!hangs) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, spans, texts, headers },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans }: Posted): readonly SeenSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap((scope) =>
      scope.spans.map(({ name, traceId, spanId, parentSpanId = '', attributes }) => ({
        ...{ service, name, traceId, spanId, parentSpanId },
        attributes: attributesOf(attributes),
      })),
    );
  });
}

function attributesOf(all: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]]));
}
