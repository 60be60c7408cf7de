import type { Delivery } from '@app/broker';
import { Deadline, DEFAULT_CONTENT_OPTIONS, DEFAULT_FETCH_OPTIONS } from '@app/contracts';
import { Metrics } from '@app/telemetry';
import { scrapeHandler, type ScrapeConsumerOptions } from './scrape.consumer.js';

const URL_TEXT = 'http://a.example/';

/** The reply to a login, and how many pages were requested for it. */
async function logIn(sealLogin: ScrapeConsumerOptions['sealLogin']) {
  let requests = 0;
  const document = { url: `${URL_TEXT}in`, cascade: { level: 2, attempts: [], unblock: [] } };
  const fetch = async () => {
    requests++;
    return { kind: 'document', document, loggedIn: { cookies: [], isAskedAgain: false } };
  };
  const rungs = [{ rung: 'headless', runsScripts: true }];
  const options = { sealLogin, cache: null, pages: { fetch }, rungs, metrics: new Metrics() };
  const task = {
    ...{ requestId: 'r', tenantId: 't', url: URL_TEXT, formats: [], savesLogin: 'shop' },
    ...{ fetch: DEFAULT_FETCH_OPTIONS, content: DEFAULT_CONTENT_OPTIONS, minAgeMs: null },
    ...{ llm: null, deadlineAtMs: Deadline.after(60_000).atMs },
  };
  const delivery = { task, signal: new AbortController().signal } as unknown as Delivery;
  const reply = await scrapeHandler(options as unknown as ScrapeConsumerOptions)(delivery);
  return { reply, requests };
}

describe('a login by actions', () => {
  it('is not begun by a fetcher without keys: no key opens what it replies', async () => {
    const reply = { kind: 'login', keyId: '', box: '' };
    expect(await logIn(() => null)).toEqual({ reply, requests: 0 });
  });

  it('is replied as its cookies, encrypted', async () => {
    const box = Buffer.from('box');
    const seal = jest.fn(() => ({ keyId: 'k', box }));
    const reply = { kind: 'login', keyId: 'k', box: box.toString('base64') };
    expect(await logIn(() => seal)).toEqual({ reply, requests: 1 });
    expect(seal).toHaveBeenCalledWith([URL_TEXT, `${URL_TEXT}in`], []);
  });

  it('fails where the cookies cannot be kept', async () => {
    const problem = expect.stringContaining('no cookie that could be kept, or more than');
    expect((await logIn(() => () => null)).reply).toMatchObject({ kind: 'failed', problem });
  });
});
