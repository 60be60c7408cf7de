import { newId, type ScrapeTask, type ScreenshotTask } from '@app/contracts';
import { FILE, OUTPUT, PRICE_SCHEMA, served as page } from '../../../test/fake-replies.js';
import { startTestApi, type StartedApi } from '../../../test/started-api.js';

const IMAGE = {
  kind: 'image',
  url: 'http://a.example/',
  widthPx: 1,
  heightPx: 1,
  isClipped: false,
  latencyMs: 1,
  image: { base64: '' },
};
const URLS = ['http://a.example/1', 'http://a.example/2'];

describe('a call that is retried under the same claim', () => {
  let api: StartedApi;
  const claimId = newId();
  beforeEach(async () => {
    api = await startTestApi({ claimId });
  });
  afterEach(() => api.stop());

  const send = async (path: string, body: object): Promise<number> => {
    const headers = {
      'x-api-key': api.key,
      'content-type': 'application/json',
      'idempotency-key': 'k',
    };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${api.url}/v1/${path}`, sent);
    await answer.arrayBuffer();
    return answer.status;
  };
  const chargeIds = () => api.recorded.splice(0).map(({ chargeId }) => String(chargeId));

  it.each<[string, object]>([
    ['scrape', { url: URLS[0] }],
    ['screenshot', { url: URLS[0] }],
    ['extract', { url: URLS[0], schema: PRICE_SCHEMA }],
    ['parse', { url: URLS[0] }],
  ])("uses the claim's id as chargeId: %s", async (path, body) => {
    const pages = await api.fakeFetcher<ScrapeTask>('scrape', () =>
      page({ llm: OUTPUT, file: FILE }),
    );
    const shots = await api.fakeFetcher<ScreenshotTask>('screenshot', () => IMAGE);
    expect([await send(path, body), await send(path, body)]).toEqual([200, 200]);
    expect(chargeIds()).toEqual([claimId, claimId]);
    // An attempt that timed out may still use the blobs it stored.
    const ids = [...pages, ...shots].map(({ requestId }) => requestId);
    expect(new Set([...ids, claimId]).size).toBe(3);
  });

  it.each<[string, object]>([
    ['batch', { urls: URLS }],
    ['extract', { urls: URLS, schema: PRICE_SCHEMA }],
  ])('uses the same chargeId for each page: %s', async (path, body) => {
    await api.fakeFetcher<ScrapeTask>('scrape', ({ url }) => page({ url, llm: OUTPUT }));
    expect(await send(path, body)).toBe(200);
    const first = chargeIds().sort();
    expect(await send(path, body)).toBe(200);
    expect(new Set([...first, claimId]).size).toBe(3);
    expect(chargeIds().sort()).toEqual(first);
  });

  it.each<[string, object, number]>([
    ['scrape', { url: URLS[0] }, 1],
    ['screenshot', { url: URLS[0] }, 1],
    ['batch', { urls: URLS }, 2],
  ])('is counted once: %s', async (path, body, credits) => {
    await api.fakeFetcher<ScrapeTask>('scrape', ({ url }) => page({ url }));
    await api.fakeFetcher('screenshot', () => IMAGE);
    expect([await send(path, body), await send(path, body)]).toEqual([200, 200]);
    const { values } = await api.metrics.creditsCharged.get();
    expect(values.reduce((sum, { value }) => sum + value, 0)).toBe(credits);
    const shots = api.reserved.filter((operation) => operation === 'screenshot');
    expect(shots).toHaveLength(path === 'screenshot' ? 1 : 0);
  });

  it('charges a screenshot that was not charged before', async () => {
    await api.fakeFetcher('screenshot', () => ({ kind: 'failed', problem: 'no', isOurs: true }));
    expect(await send('screenshot', { url: URLS[0] })).toBe(500);
    expect(await send('screenshot', { url: URLS[0] })).toBe(500);
    expect(api.reserved).toEqual(['screenshot', 'screenshot']);
  });

  it('does not record a model cost of zero for a charged result', async () => {
    await api.fakeFetcher('scrape', () => page({ llm: { ...OUTPUT, json: { price: null } } }));
    expect(await send('extract', { url: URLS[0], schema: PRICE_SCHEMA })).toBe(200);
    expect(api.recorded).toMatchObject([{ credits: 0, costMicroUsd: 168 }]);
    expect(chargeIds()).not.toContain(claimId);
  });
});
