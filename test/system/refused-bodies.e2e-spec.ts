import {
  startFixtureSite,
  startWebhookReceiver,
  type FixtureSite,
  type WebhookReceiver,
} from '@app/testing';
import { casesOf, isFullRun } from '../setup/full-run.js';
import type { Service } from './deployment.js';
import { OpenApiDocument, type DocumentedOperation } from './openapi-document.js';
import { ResourceMakers } from './resource-makers.js';
import { shareWithOwnApi } from './shared-cluster.js';

const BODY_LIMIT_BYTES = 65_536;
const UPLOAD_MAX_BYTES = 131_072;
const JSON_TYPE = 'application/json';

/** One of each JSON type, of lists more. */
const VALUES = casesOf<unknown>([true, 1.5, 'text', {}, [7]], {
  full: [null, [], [null], ['text'], [{}]],
});
/** What refuses a field in words of the specification, which do not name it. */
const OWN_WORDS: Readonly<Record<string, RegExp>> = {
  url: /^(`url` is required|Invalid URL)$/,
  plan: /^Unknown plan: /,
  successUrl: /^successUrl\/cancelUrl must be/,
  cancelUrl: /^successUrl\/cancelUrl must be/,
  urls: /of `urls` are not fetchable/,
};

interface Sent {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

describe('a POST whose body is wrong', () => {
  let service: Service;
  let site: FixtureSite;
  let receiver: WebhookReceiver;
  let document: OpenApiDocument;
  let posts: readonly DocumentedOperation[];
  let makers: ResourceMakers;
  /** What the document does not have of the answers that came. */
  const problems: string[] = [];

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: 0 });
    receiver = await startWebhookReceiver();
    service = await shareWithOwnApi('cluster', {
      BODY_LIMIT_BYTES: String(BODY_LIMIT_BYTES),
      UPLOAD_MAX_BYTES: String(UPLOAD_MAX_BYTES),
    });
    document = await OpenApiDocument.read(service.url);
    posts = document.operations.filter(
      ({ method, path }) => method === 'POST' && /^\/v\d/.test(path),
    );
    makers = new ResourceMakers({ service, site, receiver });
  });
  afterAll(async () => {
    await makers?.end();
    // Ends its slow pages.
    await site?.close();
    await service?.stop();
    await receiver?.close();
  });

  /** With a real resource in its path, so that it is the body that is refused. */
  async function targetOf({ path }: DocumentedOperation): Promise<string> {
    const [, name] = /\{(\w+)\}/.exec(path) ?? [];
    if (name === undefined) return path;
    const [made] = (await makers.forPath(path, name)) ?? [];
    if (!made) throw new Error(`${path}: no maker for {${name}}`);
    return path.replace(`{${name}}`, made.id);
  }

  async function send(
    operation: DocumentedOperation,
    body: string | undefined,
    headers: Readonly<Record<string, string>> = { 'content-type': JSON_TYPE },
  ): Promise<Sent> {
    const answer = await fetch(`${service.url}${await targetOf(operation)}`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, ...headers },
      // A text would get a type of its own.
      ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
    });
    const contentType = answer.headers.get('content-type') ?? '';
    const sent = { status: answer.status, contentType, text: await answer.text() };
    problems.push(...document.problems(operation, sent));
    return sent;
  }

  const withBody = (): readonly DocumentedOperation[] =>
    posts.filter(({ body }) => JSON_TYPE in body);
  /** The text, also of the form for agents. */
  const errorOf = ({ text }: Sent): unknown => {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    const isEnvelope = typeof error === 'object' && error !== null && 'message' in error;
    return isEnvelope ? error.message : error;
  };
  const found = async (
    of: readonly DocumentedOperation[],
    body: string | undefined,
    headers?: Readonly<Record<string, string>>,
  ): Promise<readonly (readonly [string, number, unknown])[]> => {
    const rows: (readonly [string, number, unknown])[] = [];
    for (const operation of of) {
      const sent = await send(operation, body, headers);
      rows.push([operation.path, sent.status, errorOf(sent)]);
    }
    return rows;
  };
  const each = (
    of: readonly DocumentedOperation[],
    status: number,
    error: unknown,
  ): readonly (readonly [string, number, unknown])[] => of.map(({ path }) => [path, status, error]);

  it('is read from the document', () => {
    expect(withBody().length).toBeGreaterThan(10);
    expect(posts.length).toBeGreaterThan(withBody().length);
  });

  it.each(
    casesOf(['{"url": ', '{"a": 1,}', '{"a": 1} x'], {
      full: ['{]', 'text', "{'url': 1}", '{"a": NaN}'],
    }),
  )('is refused as malformed JSON: %s', async (body) => {
    expect(await found(posts, body)).toEqual(each(posts, 400, 'Invalid JSON body'));
  });

  it.each(casesOf(['["url"]', '"url"', 'null'], { full: ['[]', '7', 'true'] }))(
    'is refused where it is JSON but no object: %s',
    async (body) => {
      expect(await found(withBody(), body)).toEqual(each(withBody(), 400, 'Invalid JSON body'));
    },
  );

  it('is refused where it is missing or empty', async () => {
    const needing = withBody().filter(({ needsBody }) => needsBody);
    expect(needing.length).toBeGreaterThan(8);
    for (const [body, headers] of [[undefined, {}], ['']] as const)
      expect(await found(needing, body, headers)).toEqual(each(needing, 400, 'Invalid JSON body'));
  });

  it.each<[string, string]>([
    ['deep in lists', '['.repeat(20_000)],
    ['deep in objects', '{"a":'.repeat(101)],
    ['deep in a field', `{"url":${'['.repeat(100)}${']'.repeat(100)}}`],
  ])('is refused where it is nested too %s', async (_, body) => {
    const told = 'The body is nested deeper than 100 levels';
    expect(await found(posts, body)).toEqual(each(posts, 400, told));
  });

  it.each(
    casesOf(['text/plain', 'application/x-www-form-urlencoded', 'nonsense', ''], {
      full: ['application/xml', 'application/vnd.api+json', 'application/octet-stream'],
    }),
  )('is refused by its type: %s', async (type) => {
    const told = 'Unsupported content type: send application/json';
    expect(await found(posts, '{"url": "x"}', { 'content-type': type })).toEqual(
      each(posts, 415, told),
    );
  });

  it('is refused without a type', async () => {
    const told = 'Unsupported content type: send application/json';
    expect(await found(posts, '{"url": "x"}', {})).toEqual(each(posts, 415, told));
  });

  it('is refused above the limit, which is named', async () => {
    // They may contain a document, or long lists of patterns.
    const LARGE = new Set(['/v1/extract', '/v1/crawl', '/v2/crawl']);
    const limitOf = ({ path }: DocumentedOperation): number =>
      LARGE.has(path) ? UPLOAD_MAX_BYTES : BODY_LIMIT_BYTES;
    const rows = await found(posts, JSON.stringify({ x: 'y'.repeat(UPLOAD_MAX_BYTES) }));
    const told = (limit: number): string => `Request body too large: the limit is ${limit} bytes`;
    expect(rows).toEqual(posts.map((post) => [post.path, 413, told(limitOf(post))]));
  });

  it('is refused for a field that there is not, by its name', async () => {
    for (const name of ['nothing', 'Url', 'constructor', '__proto__', 'toString']) {
      const told = `Unknown field \`${name}\`. See /openapi.json for the fields of this endpoint.`;
      // Under /v2 it is ignored and named in `warning`.
      for (const operation of withBody().filter(({ path }) => !path.startsWith('/v2/'))) {
        const example = exampleOf(operation);
        const body = `{"${name}": 1, ${JSON.stringify(example).slice(1)}`;
        const sent = await send(operation, body.replace(', }', '}'));
        expect([operation.path, sent.status, errorOf(sent)]).toEqual([operation.path, 400, told]);
      }
    }
  });

  it('is refused for each field that is of a wrong type, by its name', async () => {
    let sentCount = 0;
    for (const operation of withBody()) {
      for (const name of fieldsOf(operation)) {
        for (const value of VALUES) {
          const body = { ...exampleOf(operation), [name]: value };
          if (document.takes(operation, body)) continue;
          const sent = await send(operation, JSON.stringify(body));
          const what = `${operation.path} ${JSON.stringify({ [name]: value })}`;
          expect([what, sent.status, errorOf(sent)]).toEqual([what, 400, expect.any(String)]);
          const words = OWN_WORDS[name];
          const error = String(errorOf(sent));
          expect([what, error, words?.test(error) || error.includes(`\`${name}`)]).toEqual([
            what,
            error,
            true,
          ]);
          sentCount++;
        }
      }
    }
    expect(sentCount).toBeGreaterThan(isFullRun ? 400 : 200);
  });

  it('is taken where all that is not needed is null: that is not sent', async () => {
    for (const operation of withBody().filter(({ needsKey }) => needsKey)) {
      const text = JSON.stringify(operation.body[JSON_TYPE]?.example ?? {});
      const example = JSON.parse(
        text.replaceAll('https://example.com/', site.url('/')),
      ) as Readonly<Record<string, unknown>>;
      const nulls = Object.fromEntries(fieldsOf(operation).map((name) => [name, null]));
      const sent = await send(operation, JSON.stringify({ ...nulls, ...example }));
      // Pages that give nothing, and a provider that is not set up, are no matter of the body.
      const isTaken = [200, 201, 202, 422].includes(sent.status) || isUnset(sent);
      expect([operation.path, sent, isTaken]).toEqual([operation.path, sent, true]);
    }
  });

  // Last: it examines what the others met.
  it('is answered as the document says, every time', () => {
    expect([...new Set(problems)]).toEqual([]);
    // Nothing was fetched for any of them.
    expect(site.requests().filter(({ path }) => path.startsWith('/never'))).toEqual([]);
  });

  const isUnset = (sent: Sent): boolean =>
    /^(Billing not configured|search_unavailable|The \w+ scraper has no source|Job not found)/.test(
      String(errorOf(sent)),
    );
  const objectOf = ({ body }: DocumentedOperation): string =>
    body[JSON_TYPE]?.schema?.$ref?.split('/').at(-1) ?? '';

  function fieldsOf(operation: DocumentedOperation): readonly string[] {
    return Object.keys(document.objects[objectOf(operation)]?.properties ?? {});
  }

  /** Without the addresses of the document, which lead out of here. */
  function exampleOf({ body }: DocumentedOperation): Readonly<Record<string, unknown>> {
    const text = JSON.stringify(body[JSON_TYPE]?.example ?? {});
    return JSON.parse(text.replaceAll('https://example.com/', site.url('/never/'))) as Readonly<
      Record<string, unknown>
    >;
  }
});
