import { fastify as createFastify, type FastifyInstance } from 'fastify';
import type { Tenant } from '@app/accounts';
import { createLogger, Metrics } from '@app/telemetry';
import { logSecurityEvents, noteRefusal } from './security-log.js';

const TENANT = { id: 't1', plan: 'free', keyId: 'k1' } as Tenant;
const KEY = 'trawl_live_abcdef012345_secretsecretsecret';

describe('the log of security events', () => {
  let server: FastifyInstance;
  let lines: Record<string, unknown>[];
  let nowMs: number;
  let metrics: Metrics;

  beforeEach(() => {
    server = createFastify();
    lines = [];
    nowMs = 0;
    metrics = new Metrics();
    const write = (line: string) => void lines.push(JSON.parse(line));
    logSecurityEvents(server, {
      log: createLogger({ level: 'info', component: 'spec' }, { write }),
      metrics,
      tenantOf: (request) => (request.url.startsWith('/v1/keys') ? TENANT : undefined),
      now: () => nowMs,
    });
    server.get('/v1/usage', (request, reply) => {
      noteRefusal(request, 'api_key_invalid');
      return reply.status(401).send();
    });
    server.post('/v1/scrape', (request, reply) => {
      noteRefusal(request, 'blocked_url');
      return reply.status(400).send();
    });
    server.post('/v1/keys', (_, reply) => reply.status(201).send());
    server.post('/v1/keys/:id/rotate', (_, reply) => reply.status(409).send());
    server.post('/dashboard/sign-in', (_, reply) => reply.status(401).send());
  });
  afterEach(() => server.close());

  const events = () => lines.map(({ security }) => security);

  it('names the event, the client and the request, and of a refused key its beginning', async () => {
    await server.inject({ url: '/v1/usage', headers: { 'x-api-key': KEY } });
    expect(lines).toMatchObject([
      { security: 'key_refused', client: '127.0.0.1', keyPrefix: 'trawl_live_abcd' },
    ]);
    expect(lines[0]).toHaveProperty('requestId', expect.any(String));
    expect(JSON.stringify(lines)).not.toContain('secret"');
    expect(JSON.stringify(lines)).not.toContain('secretsecret');
  });

  it('names the account and the key of those that are known', async () => {
    await server.inject({ method: 'POST', url: '/v1/keys', headers: { 'x-api-key': KEY } });
    expect(lines).toMatchObject([{ security: 'key_made', tenantId: 't1', keyId: 'k1' }]);
    expect(lines[0]).not.toHaveProperty('keyPrefix');
  });

  it('has refused addresses and sign-ins, and nothing of what failed otherwise', async () => {
    await server.inject({ method: 'POST', url: '/v1/scrape' });
    await server.inject({ method: 'POST', url: '/v1/keys/k/rotate' });
    await server.inject({ method: 'POST', url: '/dashboard/sign-in' });
    expect(events()).toEqual(['address_refused', 'sign_in_refused']);
  });

  it('has at most 60 lines of a kind a minute, and says how many there were', async () => {
    for (let n = 0; n < 75; n++) await server.inject('/v1/usage');
    await server.inject({ method: 'POST', url: '/v1/scrape' });
    expect(events()).toEqual([...Array<string>(60).fill('key_refused'), 'address_refused']);
    nowMs += 60_000;
    await server.inject('/v1/usage');
    expect(lines.at(-1)).toMatchObject({ security: 'key_refused', notLogged: 15 });
    const counted = await metrics.registry.metrics();
    expect(counted).toContain('trawl_security_events_total{event="key_refused"} 76');
  });
});
