import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { until } from '@app/testing';
import { clientGone } from '../../http/client-gone.js';
import { sendLines } from '../../http/send-lines.js';
import { UrlReportService } from './url-report.service.js';

/** More than are read while a test waits for the first few. */
const STATEMENTS = 50_000;
const WINDOW = 20_000;
const QUERY = { after: 0n, most: Number.MAX_SAFE_INTEGER, state: 'failed', reason: null } as const;

describe('lines of a URL report in which few URLs match', () => {
  let server: FastifyInstance;
  let statements = 0;
  let hitsUntil = 0;
  let isOver = false;

  beforeEach(async () => {
    [statements, hitsUntil, isOver] = [0, 0, false];
    // Full windows; those of the first `hitsUntil` contain one match.
    const query = async (): Promise<object[]> => {
      await nextTurn();
      const at = statements++;
      const rows = at < STATEMENTS ? WINDOW : 0;
      const hit =
        at < hitsUntil ? { url: 'http://a.example/', seq: String(at + 1) } : { seq: null };
      return [{ rows, last: String((at + 1) * WINDOW), ...hit }];
    };
    const jobs = { findKept: async () => ({ id: 'j' }) };
    const database = { asReader: () => ({ query }) };
    const report = new UrlReportService({ database } as never, jobs as never);
    server = fastify({ forceCloseConnections: true });
    server.get('/', async (_, reply) => {
      try {
        const lines = await report.lines({} as never, 'j', QUERY, clientGone(reply));
        await sendLines(reply, lines, undefined);
      } finally {
        isOver = true;
      }
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => server.close());

  it.each([
    ['before its first line', 0],
    ['after it', 1],
  ])('cost no statement after their reader left %s', async (_, hits) => {
    hitsUntil = hits;
    const { port } = server.server.address() as AddressInfo;
    const sent = request({ host: '127.0.0.1', port, agent: false });
    sent.once('error', () => undefined); // it is this end that hangs up
    sent.end();
    await until(() => statements > 5, { what: 'some statements' });
    sent.destroy();
    await until(() => isOver, { what: 'the answer to end' });
    const atEnd = statements;
    expect(atEnd).toBeLessThan(STATEMENTS / 2);
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(statements - atEnd).toBeLessThanOrEqual(1);
  });
});
