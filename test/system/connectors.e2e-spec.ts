import { parse as parseCsv } from 'csv-parse/sync';
import { writeObservations, type Fact, type Observation } from '@app/graph';
import { adHocStatement, until, type TrawlClient } from '@app/testing';
import { businessesNamed } from '../../libs/connectors/test/fake-sources.js';
import { MODES } from './deployment.js';
import { share, type SharedService } from './shared-cluster.js';

interface Preview {
  readonly estimatedRows: number;
  readonly estimatedCostUsd: number;
  readonly estimatedCredits: number;
  readonly cogsUsd: number;
  readonly sample: readonly object[];
  readonly jobId: string;
  readonly params: object;
}

interface Chat {
  readonly kind: string;
  readonly conversationId: string;
  readonly connectorId?: string;
  readonly params?: object;
  readonly preview?: Preview;
  readonly jobId?: string;
  readonly intent: { readonly by: string };
}

describe.each(MODES)('connectors, %s', (mode) => {
  let service: SharedService;

  beforeAll(async () => {
    service = await share(mode);
    service.providers.sources.businesses = businessesNamed(35);
    const isWarm = async () => (await post('preview', MAPS)).status === 200;
    await until(isWarm, { what: 'a first preview', timeoutMs: 60_000 });
  });
  afterAll(() => service?.stop());
  beforeEach(() => service.providers.llm.reset());

  const MAPS = { connectorId: 'maps', query: 'bakeries in Austin, TX' };
  /** A call with headers of its own. */
  const send = async (
    method: string,
    at: string,
    headers: Readonly<Record<string, string>>,
    body?: object,
  ) => {
    const response = await fetch(`${service.url}${at}`, {
      method,
      headers: { 'x-api-key': service.key, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const post = (what: string, body: object, client = service.client) =>
    client.call('POST', `/v1/${what}`, body);
  const bodyOf = async <T>(what: string, body: object, client?: TrawlClient): Promise<T> => {
    const answer = await post(what, body, client);
    expect([answer.status, answer.text.slice(0, 400)]).toEqual([200, expect.anything()]);
    return answer.body as T;
  };
  const creditsOf = async (tenantId: string): Promise<number> => {
    const text = `SELECT coalesce(sum(credits), 0)::int AS credits FROM credit_ledger WHERE tenant_id = $1`;
    const rows = await service.database.query<{ credits: number }>({ name: 'sum', text }, [
      tenantId,
    ]);
    return rows[0]?.credits ?? 0;
  };

  it('lists the catalog, the connectors of the operator included', async () => {
    const { body } = await service.client.call('GET', '/v1/connectors');
    const { connectors } = body as { connectors: readonly Record<string, unknown>[] };
    const ids = connectors.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['maps', 'companies', 'weather_stations']));
    // Two of this one, and none of the file that is broken.
    expect(ids).toHaveLength(14);
    expect(connectors[0]).toMatchObject({
      ...{ id: 'maps', pricePerRecordUsd: 0.0024, credits: 1, rowsPerCharge: 1, available: true },
      schema: { properties: { maps_url: {} } },
    });
  });

  it('previews words, then pulls the rows with their CSV, each paid once', async () => {
    const tenant = await service.tenant('hobby');
    const preview = await bodyOf<Preview>('preview', { ...MAPS, maxResults: 30 }, tenant.client);
    expect(preview).toMatchObject({
      params: { query: 'bakeries', location: 'Austin, TX' },
      ...{ estimatedRows: 30, estimatedCredits: 30, estimatedCostUsd: 0.072, cogsUsd: 0.01 },
    });
    expect(preview.sample).toHaveLength(5);
    expect(await creditsOf(tenant.id)).toBe(0);
    const { jobId } = preview;
    const pulled = await bodyOf<Record<string, unknown>>('pull', { jobId }, tenant.client);
    expect(pulled).toMatchObject({ status: 'completed', total: 30, creditsUsed: 30, error: null });
    const csv = parseCsv(String(pulled['csv']), { columns: true }) as Record<string, string>[];
    expect(csv.map(({ name }) => name)).toEqual(
      (pulled['rows'] as readonly { name: string }[]).map(({ name }) => name),
    );
    expect(await creditsOf(tenant.id)).toBe(30);
    const again = await post('pull', { jobId }, tenant.client);
    expect(again).toMatchObject({
      status: 409,
      body: { error: { code: 'already_pulled', suggested_fix: expect.any(String) } },
    });
    expect(await creditsOf(tenant.id)).toBe(30);
  });

  it('pulls the companies that the graph knows, by their technology and place, without contact data', async () => {
    const observation = (at: number): Observation => ({
      ...{ source: 'import:spec', seenAt: new Date(), site: null },
      facts: [
        { field: 'name', value: `Graph Dental ${at}` },
        { field: 'domain', value: `graph-dental-${at}.example` },
        { field: 'location', value: { city: 'Austin', state: 'TX', country: 'US' } },
        { field: 'phone', value: `+1512555${1_000 + at}` },
        { field: 'tech', value: 'Spec Shop' },
      ].map((fact) => ({ ...fact, confidence: 0.9, url: null }) as Fact),
    });
    const all = Array.from({ length: 205 }, (_, at) => observation(at));
    await writeObservations(service.database, all, { tenantId: null });
    const order = { connectorId: 'companies', params: { tech: ['Spec Shop'], state: 'TX' } };
    const preview = await bodyOf<Preview>('preview', { ...order, maxResults: 210 });
    expect(preview).toMatchObject({ estimatedRows: 205, estimatedCredits: 205 });
    await post('pull', { jobId: preview.jobId });
    const at = `/v1/pull/${preview.jobId}`;
    const view = async () =>
      (await service.client.call('GET', at)).body as { readonly status: string };
    await until(async () => (await view()).status === 'completed', { what: 'the end of a pull' });
    const { body } = await service.client.call('GET', `${at}/results?limit=1000`);
    const { rows } = body as { readonly rows: readonly Record<string, unknown>[] };
    expect(new Set(rows.map(({ domain }) => domain)).size).toBe(205);
    expect(rows[0]).toMatchObject({ city: 'Austin', state: 'TX', tech_stack: ['Spec Shop'] });
    expect(JSON.stringify(rows)).not.toContain('512555');
  });

  it('gets the same pull for the same Idempotency-Key', async () => {
    const { jobId } = await bodyOf<Preview>('preview', { ...MAPS, maxResults: 2 });
    const headers = { 'idempotency-key': 'pull-once' };
    const first = await send('POST', '/v1/pull', headers, { jobId });
    const second = await send('POST', '/v1/pull', headers, { jobId });
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
  });

  it('runs a larger pull as a job, whose rows page and stream', async () => {
    const order = { connectorId: 'weather_stations', params: { region: 'Alps' }, maxResults: 250 };
    const preview = await bodyOf<Preview>('preview', order);
    expect(preview).toMatchObject({ estimatedRows: 250, estimatedCredits: 500 });
    const accepted = await post('pull', { jobId: preview.jobId });
    expect([accepted.status, accepted.body]).toMatchObject([202, { jobId: preview.jobId }]);
    const at = `/v1/pull/${preview.jobId}`;
    const view = async () =>
      (await service.client.call('GET', at)).body as { readonly status: string };
    await until(async () => (await view()).status === 'completed', { what: 'the end of a pull' });
    expect(await view()).toMatchObject({ total: 250, creditsUsed: 500 });
    const page = await service.client.call('GET', `${at}/results?limit=2&cursor=248`);
    expect(page.body).toMatchObject({
      rows: [{ station: 'Alps 249' }, { station: 'Alps 250', height: 250 }],
      next: null,
    });
    const stream = async (accept: string) => (await send('GET', `${at}/results`, { accept })).text;
    const lines = (await stream('application/x-ndjson')).trim().split('\n');
    expect([lines.length, lines[0]]).toEqual([250, '{"station":"Alps 1","height":1}']);
    const csv = parseCsv(await stream('text/csv')) as readonly (readonly string[])[];
    expect([csv.length, csv[0], csv[250]]).toEqual([
      ...[251, ['station', 'height'], ['Alps 250', '250']],
    ]);
  });

  it('cancels a pull; its rows so far stay and stay charged', async () => {
    const tenant = await service.tenant('pro');
    const params = { region: 'Slow', slow: true };
    const order = { connectorId: 'weather_stations', params, maxResults: 250 };
    const { jobId } = await bodyOf<Preview>('preview', order, tenant.client);
    await post('pull', { jobId }, tenant.client);
    const end = await tenant.client.call('DELETE', `/v1/pull/${jobId}`);
    expect(end.body).toEqual({ jobId, status: 'cancelled', cancelled: true });
    const credits = await creditsOf(tenant.id);
    const { body } = await tenant.client.call('GET', `/v1/pull/${jobId}`);
    expect(body).toMatchObject({ status: 'cancelled', creditsUsed: credits });
    const holds = await service.database.query(
      { name: 'holds', text: 'SELECT 1 FROM credit_holds WHERE id = $1' },
      [jobId],
    );
    expect(holds).toEqual([]);
  });

  it.each<[string, string, object, number, string]>([
    ['an unknown connector', 'preview', { connectorId: 'x' }, 404, 'connector_not_found'],
    ['missing parameters', 'preview', { connectorId: 'reviews' }, 400, 'invalid_request'],
    ['unknown ones', 'preview', { ...MAPS, params: { x: 1 } }, 400, 'invalid_request'],
    ['an unknown preview', 'pull', { jobId: 'x' }, 404, 'job_not_found'],
    ['an empty message', 'chat', { message: ' ' }, 400, 'invalid_request'],
    [
      'an unknown chat',
      'chat',
      { message: 'hi', conversationId: 'x' },
      404,
      'conversation_not_found',
    ],
  ])('refuses %s in the form for agents', async (_what, path_, body, status, code) => {
    const answer = await post(path_, body);
    expect([answer.status, answer.body]).toMatchObject([status, { error: { code } }]);
    const headers = { 'x-error-format': 'text' };
    const { text } = await send('POST', `/v1/${path_}`, headers, body);
    expect((JSON.parse(text) as { readonly error: unknown }).error).toEqual(expect.any(String));
  });

  it('counts a preview whose caller hangs up, and gives back one that fails', async () => {
    const { sources } = service.providers;
    const tenant = await service.tenant('hobby');
    const used = async () => {
      const [row] = await service.database.query<{ used: number }>(
        adHocStatement(
          `SELECT used FROM daily_quotas WHERE tenant_id = $1 AND operation = 'preview'`,
        ),
        [tenant.id],
      );
      return row?.used ?? 0;
    };
    const maps = Object.keys(sources.modes) as (keyof typeof sources.modes)[];
    for (const source of maps) sources.modes[source] = 'hang';
    const before = sources.requests.length;
    const abort = new AbortController();
    const headers = { 'x-api-key': tenant.key, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(MAPS), signal: abort.signal };
    const hungUp = fetch(`${service.url}/v1/preview`, init).catch(() => 'hung up');
    await until(() => sources.requests.length > before, { what: 'a source that is asked' });
    expect(await used()).toBe(1);
    abort.abort();
    expect(await hungUp).toBe('hung up');
    for (const source of maps) sources.modes[source] = 500;
    expect((await post('preview', MAPS, tenant.client)).status).toBeGreaterThanOrEqual(500);
    expect(await used()).toBe(1);
    sources.reset();
    sources.businesses = businessesNamed(35);
  });

  it('is gated by the plan: web search, rows, previews a day', async () => {
    const tenant = await service.tenant('free');
    const search = { connectorId: 'search_results', params: { query: 'x' } };
    expect((await post('preview', search, tenant.client)).status).toBe(403);
    const order = { connectorId: 'weather_stations', params: { region: 'A' }, maxResults: 5_000 };
    expect(await bodyOf<Preview>('preview', order, tenant.client)).toMatchObject({
      estimatedRows: 100,
    });
    for (let n = 1; n < 20; n++) await bodyOf('preview', order, tenant.client);
    const over = await post('preview', order, tenant.client);
    expect(over).toMatchObject({ status: 429, body: { error: { code: 'preview_quota' } } });
  });

  it('has sample rows on the Free plan, whose pull is free', async () => {
    const tenant = await service.tenant('free');
    const preview = await bodyOf<Preview>('preview', MAPS, tenant.client);
    expect(preview).toMatchObject({ mock: true, estimatedCredits: 0, estimatedCostUsd: 0 });
    const { jobId } = preview;
    const pulled = await bodyOf('pull', { jobId }, tenant.client);
    expect(pulled).toMatchObject({
      total: 5,
      creditsUsed: 0,
      rows: [{ mock: true }, {}, {}, {}, {}],
    });
    expect(await creditsOf(tenant.id)).toBe(0);
  });

  it("is closed to other tenants: previews, pulls and conversations are the tenant's own", async () => {
    const tenant = await service.tenant('pro');
    const { jobId } = await bodyOf<Preview>('preview', MAPS);
    expect((await post('pull', { jobId }, tenant.client)).status).toBe(404);
    for (const at of [`/v1/pull/${jobId}`, `/v1/pull/${jobId}/results`])
      expect((await tenant.client.call('GET', at)).status).toBe(404);
    expect((await tenant.client.call('DELETE', `/v1/pull/${jobId}`)).status).toBe(404);
    const { conversationId } = await bodyOf<Chat>('chat', { message: 'bakeries in Austin' });
    const stolen = { message: 'make it 5', conversationId };
    expect((await post('chat', stolen, tenant.client)).status).toBe(404);
  });

  describe('chat', () => {
    const modelSays = (choice: object): void => {
      service.providers.llm.script = () => JSON.stringify(choice);
    };

    it('lets a model choose where rules cannot tell, and never more than that', async () => {
      const params = JSON.stringify({ query: 'bakeries', location: 'Lyon' });
      const choice = { connector: 'maps', params, max_rows: 7, changes_previous: false };
      modelSays(choice);
      const message = 'croissants, Lyonnais style, who makes them there?';
      expect(await bodyOf<Chat>('chat', { message })).toMatchObject({
        ...{ kind: 'new', connectorId: 'maps', intent: { by: 'model' } },
        ...{ params: { query: 'bakeries', location: 'Lyon' }, preview: { estimatedRows: 7 } },
      });
      for (const lie of [
        { ...choice, connector: 'shell' },
        { ...choice, params: JSON.stringify({ query: 'x', command: 'rm' }) },
        { ...choice, params: 'no JSON' },
      ]) {
        modelSays(lie);
        expect(await bodyOf<Chat>('chat', { message })).toMatchObject({ kind: 'help' });
      }
    });

    it('asks no model once the calls of the day are used up, and says so', async () => {
      const tenant = await service.tenant('free');
      const message = 'croissants, Lyonnais style, who makes them there?';
      modelSays({ connector: null, params: '{}', max_rows: null, changes_previous: false });
      await service.database.query(
        adHocStatement(
          `INSERT INTO daily_quotas (tenant_id, operation, day, used)
           VALUES ($1, 'model_call', (now() AT TIME ZONE 'utc')::date, 999)`,
        ),
        [tenant.id],
      );
      const help = () => bodyOf<{ message: string }>('chat', { message }, tenant.client);
      expect((await help()).message).not.toContain('used up');
      const asked = service.providers.llm.prompts.length;
      expect((await help()).message).toContain('the model calls of today are used up');
      expect(service.providers.llm.prompts.length).toBe(asked);
    });

    it('understands a request, and its changes in a conversation', async () => {
      const first = await bodyOf<Chat>('chat', { message: '20 bakeries in Austin, TX' });
      expect(first).toMatchObject({
        ...{ kind: 'new', connectorId: 'maps', intent: { by: 'rules' } },
        ...{ params: { query: 'bakeries', location: 'Austin, TX' } },
        preview: { estimatedRows: 20 },
      });
      expect(first.jobId).toBe(first.preview?.jobId);
      const { conversationId } = first;
      const say = (message: string) => bodyOf<Chat>('chat', { message, conversationId });
      expect(await say('only those with a website')).toMatchObject({
        ...{ kind: 'refine', conversationId },
        params: { query: 'bakeries', location: 'Austin, TX', has_website: true },
      });
      expect(await say('in Boston instead')).toMatchObject({
        kind: 'refine',
        params: { query: 'bakeries', location: 'Boston', has_website: true },
      });
      expect(await say('make it 50')).toMatchObject({
        kind: 'refine',
        params: { location: 'Boston', has_website: true },
      });
      expect(await say('weather stations in Tyrol')).toMatchObject({
        ...{ kind: 'new', connectorId: 'weather_stations', params: { region: 'Tyrol' } },
      });
    });

    it('never charges', async () => {
      const tenant = await service.tenant('hobby');
      await bodyOf<Chat>('chat', { message: 'bakeries in Austin' }, tenant.client);
      expect(await creditsOf(tenant.id)).toBe(0);
    });

    it('says what it can do when it does not understand', async () => {
      modelSays({ connector: null, params: '{}', max_rows: null, changes_previous: false });
      expect(await bodyOf('chat', { message: 'hello there' })).toMatchObject({
        ...{
          kind: 'help',
          conversationId: null,
          message: expect.stringContaining('Local businesses'),
        },
      });
    });
  });
});
