import fastify, { type FastifyInstance } from 'fastify';
import { OwnCalls } from './own-calls.js';

const TENANT = { id: 'tenant', plan: 'free', keyId: null, agreed: {} } as never;

describe('a call of our own pages', () => {
  let server: FastifyInstance;
  let own: OwnCalls;
  const tokens: unknown[] = [];

  beforeEach(() => {
    tokens.length = 0;
    server = fastify();
    own = new OwnCalls(server);
    server.post('/v1/echo', async (request, reply) => {
      tokens.push(request.headers['x-own-call']);
      const isOwn = own.take(request) === TENANT;
      void reply.header('x-credits-consumed', 3);
      return { isOwn, isTwice: own.take(request) !== undefined, body: request.body };
    });
    server.post('/v1/text', async () => 'text');
  });
  afterEach(() => server.close());

  it('is known by a token that works once, and returns status, JSON and credits', async () => {
    const answer = await own.send(TENANT, { path: '/v1/echo', body: { n: 1 } });
    expect(answer).toMatchObject({ status: 200, credits: 3 });
    expect(JSON.parse(answer.json ?? '')).toEqual({ isOwn: true, isTwice: false, body: { n: 1 } });
  });

  it('leaves no token behind, and accepts none from outside', async () => {
    await own.send(TENANT, { path: '/v1/echo' });
    for (const token of [String(tokens[0]), '', 'x', '__proto__']) {
      const headers = { 'x-own-call': token };
      const response = await server.inject({ method: 'POST', url: '/v1/echo', headers });
      expect(response.json()).toMatchObject({ isOwn: false });
    }
  });

  it('has no JSON where the response has another type, and no credits where none were charged', async () => {
    expect(await own.send(TENANT, { path: '/v1/text' })).toEqual({
      status: 200,
      json: null,
      credits: null,
    });
  });
});
