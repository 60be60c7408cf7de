import { Deadline } from '@app/contracts';
import { HttpFetchError, type HttpRequest, type HttpResponse } from '@app/egress';
import { SiteServer, startLeakCheck, until, type LeakCheck } from '@app/testing';
import { post, type LlmHttp, type WatchedRequest } from './post.js';

/** A client that reports each received piece and returns the received part when it is aborted. */
const watchedHttp: LlmHttp = {
  async fetch(request: HttpRequest): Promise<HttpResponse> {
    const { url, signal, onData } = request as WatchedRequest;
    const pieces: Buffer[] = [];
    const answer = () => ({ status: 200, body: Buffer.concat(pieces) }) as unknown as HttpResponse;
    try {
      const response = await fetch(url, { ...(signal ? { signal } : {}) });
      for await (const piece of response.body ?? []) {
        pieces.push(Buffer.from(piece));
        onData?.(piece);
      }
      return answer();
    } catch (cause) {
      const partial = pieces.length > 0 ? { partial: answer() } : {};
      throw new HttpFetchError('timeout', 'aborted', { cause, ...partial });
    }
  },
};

describe('silence within an answer', () => {
  let leaks: LeakCheck;
  let site: SiteServer;
  let say: (text: string) => void;
  let end: () => void;
  let isGone: boolean;
  beforeEach(async () => {
    leaks = startLeakCheck();
    isGone = false;
    site = await SiteServer.start(({ response }) => {
      response.writeHead(200).flushHeaders();
      say = (text) => void response.write(text);
      end = () => void response.end();
      response.once('close', () => (isGone = true));
    });
  });
  afterEach(async () => {
    await site.close();
    await leaks.assertClean();
  });
  const send = (idleTimeoutMs: number, signal = new AbortController().signal) =>
    post(
      watchedHttp,
      { url: site.url('/'), deadline: Deadline.after(30_000), maxBytes: 1_000, signal },
      idleTimeoutMs,
    );
  const bodyOf = (sent: Awaited<ReturnType<typeof send>>) =>
    'response' in sent ? Buffer.from(sent.response.body).toString() : sent.failure;

  it('ends it, with the part that was received', async () => {
    const sent = send(60);
    await until(() => site.count('/') === 1);
    say('data: {"half');
    expect(bodyOf(await sent)).toBe('data: {"half');
    await until(() => isGone);
  });

  it('is not broken by comments and empty lines', async () => {
    const sent = send(150);
    await until(() => site.count('/') === 1);
    say('data: 1\n\n');
    const timer = setInterval(() => say(': still here\n\n'), 30);
    expect(bodyOf(await sent)).toContain('data: 1');
    clearInterval(timer);
  });

  it('counts from the first byte: before it a server may be busy', async () => {
    const sent = send(60);
    await until(() => site.count('/') === 1);
    say(': waiting\n\n');
    // Longer than the silence limit; ends by itself.
    setTimeout(() => (say('data: 1\n\n'), end()), 200);
    expect(bodyOf(await sent)).toBe(': waiting\n\ndata: 1\n\n');
  });

  it('ends at once when the caller goes', async () => {
    const caller = new AbortController();
    const sent = send(60_000, caller.signal);
    await until(() => site.count('/') === 1);
    caller.abort();
    expect(bodyOf(await sent)).toMatchObject({
      message: 'the model server did not respond in time',
    });
    expect(bodyOf(await send(60_000, AbortSignal.abort()))).toMatchObject({ ok: false });
  });
});
