import {
  startFixtureSite,
  startWebhookReceiver,
  type FixtureSite,
  type TrawlClient,
  type WebhookReceiver,
} from '@app/testing';
import { observationOfEnrichment, writeObservations } from '@app/graph';
import { MODES, type Service } from './deployment.js';
import { OpenApiDocument, type DocumentedOperation } from './openapi-document.js';
import { ResourceMakers, unknownIds } from './resource-makers.js';
import { share } from './shared-cluster.js';

/** Differ between two answers that are the same. */
const OF_THE_ANSWER = /^(date|x-request-id|x-ratelimit-.*|retry-after|keep-alive|connection)$/;
/** Cursors that count: they name nothing. */
const COUNTING = [
  '/v1/crawl/{id}/results',
  '/v1/crawl/{id}/urls',
  '/v1/crawl/{id}/events',
  // A score and a key of an address: a place in the order of the matches.
  '/v1/crawl/{id}/search',
  '/v1/pull/{id}/results',
];

/** Public facts that all tenants share; see the last test. */
const SHARED = ['/v1/graph/business/{idOrDomain}'];

/** All that one tenant can see of an answer. */
interface Seen {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

describe.each(MODES)('a resource of another tenant, %s', (mode) => {
  let service: Service;
  let site: FixtureSite;
  let receiver: WebhookReceiver;
  let document: OpenApiDocument;
  let makers: ResourceMakers;
  let stranger: TrawlClient;

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: 0, slowPages: 1_000, slowMs: 500 });
    receiver = await startWebhookReceiver();
    service = await share(mode);
    document = await OpenApiDocument.read(service.url);
    makers = new ResourceMakers({ service, site, receiver });
    stranger = await service.otherTenant();
  });
  afterAll(async () => {
    await makers?.end();
    // Ends its slow pages.
    await site?.close();
    await service?.stop();
    await receiver?.close();
  });

  const keyed = (): readonly DocumentedOperation[] =>
    document.operations.filter(({ needsKey, path }) => needsKey && !SHARED.includes(path));
  const parametersOf = ({ path }: DocumentedOperation): readonly string[] =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const idsInQuery = ({ path, parameters }: DocumentedOperation): readonly string[] =>
    parameters
      .filter(({ name, in: place }) => place === 'query' && /^(id|cursor)$|Id$|_id$/.test(name))
      .map(({ name }) => name)
      .filter((name) => name !== 'cursor' || !COUNTING.includes(path));

  async function see(
    client: TrawlClient,
    operation: DocumentedOperation,
    target: string,
  ): Promise<Seen> {
    const { example } = operation.body['application/json'] ?? {};
    const { status, headers, text } = await client.call(operation.method, target, example);
    const shown = [...headers].filter(([name]) => !OF_THE_ANSWER.test(name));
    // The form for agents names the request.
    const plain = text.replace(/"request_id":"[\w-]+"/, '"request_id":"-"');
    const sorted = shown.sort(([one], [other]) => (one < other ? -1 : 1));
    return { status, headers: sorted, text: plain };
  }

  it('can be created for every id that an endpoint accepts', async () => {
    const missing = keyed().flatMap((operation) => [
      ...parametersOf(operation)
        .filter((name) => makers.forPath(operation.path, name) === null)
        .map((name) => `${operation.path}: {${name}}`),
      ...idsInQuery(operation)
        .filter((name) => makers.forQuery(operation.path, name) === null)
        .map((name) => `${operation.path}: ?${name}`),
    ]);
    expect(missing).toEqual([]);
    // Ids in bodies; connectors.e2e-spec.ts covers that of another tenant's preview and conversation.
    const inBodies = keyed().flatMap(({ path, body }) =>
      Object.values(body).flatMap(({ example }) =>
        Object.keys((example ?? {}) as object)
          .filter((name) => /^id$|Id$|_id$/.test(name))
          .map((name) => `${path}: ${name}`),
      ),
    );
    expect(inBodies.toSorted()).toEqual([
      '/v1/feeds: connectorId',
      '/v1/preview: connectorId',
      '/v1/pull: jobId',
    ]);
  });

  it('is real: its owner sees it', async () => {
    for (const operation of keyed().filter(({ method }) => method === 'GET')) {
      for (const name of parametersOf(operation)) {
        for (const { kind, id, owner } of (await makers.forPath(operation.path, name)) ?? []) {
          // A stream of a job that runs has no end.
          if (operation.path.endsWith('/events') && kind === 'crawl that runs') continue;
          // It stores no page anew, so it has no search index.
          if (operation.path.endsWith('/search') && kind === 'extraction') continue;
          const query = operation.path.endsWith('/search') ? '?q=page' : '';
          const target = operation.path.replace(`{${name}}`, id) + query;
          const { status } = await owner.call('GET', target);
          expect([target, kind, status]).toEqual([target, kind, 200]);
        }
      }
    }
  });

  it('answers exactly like one that never was, wherever its id is in a path', async () => {
    let compared = 0;
    // Putting a site or a profile makes one, whatever another tenant calls its own.
    for (const operation of keyed().filter(({ method }) => method !== 'PUT')) {
      for (const name of parametersOf(operation)) {
        const made = (await makers.forPath(operation.path, name)) ?? [];
        const unknown = await Promise.all(
          unknownIds().map((id) => see(stranger, operation, pathWith(operation, name, id))),
        );
        expect(new Set(unknown.map(({ status }) => status))).toEqual(new Set([404]));
        for (const { kind, id } of made) {
          const seen = await see(stranger, operation, pathWith(operation, name, id));
          const what = `${operation.method} ${operation.path}: ${kind}`;
          for (const one of unknown) expect([what, seen]).toEqual([what, one]);
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(30);
  });

  it('answers exactly like one that never was, wherever its id is in a query', async () => {
    for (const operation of keyed()) {
      for (const name of idsInQuery(operation)) {
        const made = (await makers.forQuery(operation.path, name)) ?? [];
        const target = (id: string): string => `${operation.path}?${name}=${id}`;
        const [unknown = ''] = unknownIds();
        const expected = await see(stranger, operation, target(unknown));
        for (const { kind, id } of made) {
          const seen = await see(stranger, operation, target(id));
          expect([target(id), kind, seen]).toEqual([target(id), kind, expected]);
        }
      }
    }
  });

  it('is unchanged after all requests', async () => {
    const states = new Map<string, string>();
    for (const { kind, id } of await makers.jobs())
      states.set(kind, (await service.client.job(id)).status);
    expect(Object.fromEntries(states)).toEqual({
      'crawl that ended': 'completed',
      'crawl that runs': 'running',
      'crawl that was cancelled': 'cancelled',
      batch: 'completed',
      extraction: 'completed',
    });
    for (const { id } of await makers.deliveries()) {
      const { body } = await service.client.call('GET', `/v1/webhooks/deliveries/${id}`);
      expect(body).toMatchObject({ state: 'delivered', attempt_count: 1 });
    }
    const { body } = await service.client.call('GET', '/v1/keys');
    const ended = (
      body as { keys: { id: string; revokedAt: string | null; expiresAt: string | null }[] }
    ).keys
      .filter(({ revokedAt, expiresAt }) => revokedAt !== null || expiresAt !== null)
      .map(({ id }) => id);
    const revoked = (await makers.keys()).filter(({ kind }) => kind === 'key that was revoked');
    expect(ended).toEqual(revoked.map(({ id }) => id));
    expect(await stranger.jobs()).toEqual({ jobs: [] });
  });

  it('is readable by the signed link, without a key', async () => {
    const [{ id } = { id: '' }] = (await makers.forPath('/downloads/{token}', 'token')) ?? [];
    const [signed, changed] = await Promise.all(
      [id, `${id.slice(0, -2)}AA`].map((token) => fetch(`${service.url}/downloads/${token}`)),
    );
    expect([signed?.status, changed?.status]).toEqual([200, 403]);
    await signed?.arrayBuffer();
  });

  it('is unreachable once the tenant role has no rights', async () => {
    // Every route queries as the tenant, so that tenant isolation holds where a condition is missing: a new
    // route that queries as the owner of the tables answers here.
    const lists = ['/v1/jobs', '/v1/keys', '/v1/webhooks/deliveries', '/v1/webhooks/secret'];
    const asked = lists.map((target) => ({ method: 'GET', target, owner: service.client }));
    for (const operation of keyed().filter(({ method }) => method === 'GET' || method === 'DELETE'))
      for (const name of parametersOf(operation))
        for (const { id, owner } of (await makers.forPath(operation.path, name)) ?? [])
          asked.push({ method: operation.method, target: pathWith(operation, name, id), owner });
    const answered: string[] = [];
    await takeRightsOfTenants();
    try {
      for (const { method, target, owner } of asked) {
        const { status } = await owner.call(method, target);
        if (status < 500) answered.push(`${method} ${target}: ${status}`);
      }
    } finally {
      // As the start of an API does.
      await service.database.migrate();
    }
    expect(asked.length).toBeGreaterThan(30);
    expect(answered).toEqual([]);
  });

  /** Of this deployment's database alone; the service runs on. */
  async function takeRightsOfTenants(): Promise<void> {
    const text = `SELECT 'trawl_tenant_' || pg_get_userbyid(relowner) AS role FROM pg_class WHERE oid = 'jobs'::regclass`;
    const [owner] = await service.database.query<{ role: string }>({ name: 'spec role', text });
    const revoke = `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM "${owner?.role ?? ''}"`;
    await service.database.query({ name: 'spec revoke', text: revoke });
  }

  function pathWith({ path }: DocumentedOperation, name: string, id: string): string {
    return path.replace(`{${name}}`, encodeURIComponent(id));
  }

  it('is the same for all in the company graph, and only as public facts', async () => {
    const { database, client } = service;
    const reading = observationOfEnrichment(
      {
        ...{
          domain: 'isolated.example',
          emails: ['info@isolated.example'],
          phones: ['(512) 543-0100'],
        },
        ...{ phoneNumbers: ['+15125430100'], place: { city: 'Austin', state: 'TX' }, socials: {} },
        ...{ team: [{ name: 'Jane Doe' }], pagesCrawled: 1, homepage: { description: 'Teeth' } },
        ...{ completeness: 1, tech: null, brand: null, isByModel: false, latencyMs: 1 },
      },
      new Date(),
    );
    if (reading === null) throw new Error('the reading has nothing for the graph');
    const text = 'SELECT id FROM tenants ORDER BY created_at LIMIT 1';
    const [tenant] = await database.query<{ id: string }>({ name: 'spec tenant', text });
    const tenantId = tenant?.id ?? '';
    await writeObservations(database, [reading], { tenantId });
    const path = '/v1/graph/business/isolated.example';
    const [own, others] = await Promise.all([client.call('GET', path), stranger.call('GET', path)]);
    expect([own.status, own.text]).toEqual([200, others.text]);
    // An id and a time have digits of their own.
    const shown = JSON.stringify({ ...(own.body as object), id: '', _freshness: '' });
    expect(shown).not.toMatch(/543/);
    expect(own.text).not.toMatch(/info@|Jane|enrich|tenant/);
    expect(own.text).not.toContain(tenantId);
  });
});
