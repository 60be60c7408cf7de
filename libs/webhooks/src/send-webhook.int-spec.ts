import {
  EgressGuard,
  HttpClient,
  parseAllowPrivate,
  type HttpRequest,
  type Resolver,
} from '@app/egress';
import { startWebhookReceiver, until, type ReceiverMode, type WebhookReceiver } from '@app/testing';
import { holdDeadline } from '../../egress/test/held-deadline.js';
import { sendWebhook, type SendResult } from './send-webhook.js';

const LONG_MS = 30_000;
const SHORT_MS = 400;

describe('one attempt of a webhook', () => {
  let receiver: WebhookReceiver;
  let http: HttpClient;

  const clientOf = (options: { allow?: string; resolver?: Resolver } = {}) => {
    const { allow = '127.0.0.1/32:1024-65535', resolver } = options;
    const guard = new EgressGuard({ allowPrivate: parseAllowPrivate(allow), resolver });
    return new HttpClient({ guard, userAgent: 'spec', connectTimeoutMs: 60_000 });
  };
  const send = (
    over: {
      url?: string;
      signal?: AbortSignal;
      http?: Pick<HttpClient, 'fetch'>;
      timeoutMs?: number;
    } = {},
  ) =>
    sendWebhook(over.http ?? http, {
      url: over.url ?? receiver.url,
      headers: { 'webhook-id': '1' },
      body: '{"a":"é"}',
      timeoutMs: over.timeoutMs ?? LONG_MS,
      signal: over.signal ?? new AbortController().signal,
    });

  beforeEach(async () => {
    receiver = await startWebhookReceiver({ slowMs: 300_000 });
    http = clientOf();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await receiver.close();
    await http.close();
  });

  it('posts the body as JSON', async () => {
    await send();
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook',
        body: '{"a":"é"}',
        headers: {
          'content-type': 'application/json',
          'content-length': '10',
          'webhook-id': '1',
        },
      },
    ]);
  });

  const NOTHING = { status: null, answer: null, retryAfterMs: null };
  it.each<[ReceiverMode, Partial<SendResult>]>([
    ['ok', { status: 200, error: null, answer: 'thank you', retryAfterMs: null }],
    ['204', { status: 204, error: null, answer: null }],
    ['500', { status: 500, error: 'http_status', answer: '{"error":"status 500"}' }],
    ['404', { status: 404, error: 'http_status' }],
    ['429', { status: 429, error: 'http_status', retryAfterMs: 1_000 }],
    ['503', { status: 503, error: 'http_status', retryAfterMs: 1_000 }],
    ['410', { status: 410, error: 'gone' }],
    ['302', { status: 302, error: 'redirect' }],
    ['reset', { ...NOTHING, error: 'network' }],
    ['not_http', { ...NOTHING, error: 'invalid_answer' }],
    ['truncated', { status: 200, error: null }],
  ])('answered with %s is a value', async (mode, expected) => {
    receiver.mode = mode;
    expect(await send()).toMatchObject(expected);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  it.each<[ReceiverMode, Partial<SendResult>]>([
    ['hang', { ...NOTHING, error: 'timeout' }],
    ['slow', { ...NOTHING, error: 'timeout' }],
    ['hang_body', { status: 200, error: null, answer: '{"su' }],
  ])('answered with %s when its time is over is a value', async (mode, expected) => {
    receiver.mode = mode;
    const { deadline, pass } = holdDeadline();
    let got = '';
    const onData = (chunk: Uint8Array) => void (got += Buffer.from(chunk).toString());
    const held = { fetch: (request: HttpRequest) => http.fetch({ ...request, deadline, onData }) };
    const sent = send({ http: held });
    await until(() => receiver.received.length === 1 && got === (expected.answer ?? ''));
    pass();
    expect(await sent).toMatchObject(expected);
    expect(receiver.received).toHaveLength(1);
  });

  it('ends with its time', async () => {
    receiver.mode = 'hang';
    expect(await send({ timeoutMs: SHORT_MS })).toEqual({ ...NOTHING, error: 'timeout' });
  });

  it('reads 1 KiB of a huge answer and hangs up', async () => {
    receiver.mode = 'huge';
    const { status, error, answer } = await send();
    expect({ status, error, length: answer?.length }).toEqual({
      status: 200,
      error: null,
      length: 1_024,
    });
  });

  it('to a closed port is a network failure', async () => {
    await receiver.down();
    expect(await send()).toEqual({ ...NOTHING, error: 'network' });
    await receiver.up();
  });

  it('that is interrupted has its own error', async () => {
    receiver.mode = 'hang';
    const controller = new AbortController();
    const sent = send({ signal: controller.signal });
    controller.abort();
    expect(await sent).toEqual({ ...NOTHING, error: 'interrupted' });
  });

  it('reaches no private address, by name or number', async () => {
    const canary = await startWebhookReceiver({ host: '127.0.0.2' });
    expect(await send({ url: canary.url })).toEqual({ ...NOTHING, error: 'blocked_address' });
    expect(canary.connections).toBe(0);
    await canary.close();
  });

  it('is judged by the address the name has when it is dialled', async () => {
    const { port } = new URL(receiver.url);
    const answers = ['203.0.113.7', '169.254.169.254'];
    const asked: string[] = [];
    const resolver: Resolver = {
      resolve: async (host) => {
        asked.push(host);
        return [answers[asked.length - 1] ?? '169.254.169.254'];
      },
    };
    // A documentation address is not public either: the point is that each dial resolves again.
    const rebinding = clientOf({ allow: 'rebind.example:1024-65535', resolver });
    const url = `http://rebind.example:${port}/`;
    expect((await send({ url, http: rebinding, timeoutMs: SHORT_MS })).error).not.toBe(
      'blocked_address',
    );
    expect(await send({ url, http: rebinding })).toEqual({ ...NOTHING, error: 'blocked_address' });
    expect(asked).toEqual(['rebind.example', 'rebind.example']);
    expect(receiver.connections).toBe(0);
    await rebinding.close();
  });

  it('keeps only the part of a response that the database can store', async () => {
    const body = new Uint8Array([97, 0, 255, 98]);
    const fake = { fetch: async () => ({ status: 200, headers: {}, body }) };
    expect((await send({ http: fake as unknown as HttpClient })).answer).toBe('a\ufffd\ufffdb');
  });
});
