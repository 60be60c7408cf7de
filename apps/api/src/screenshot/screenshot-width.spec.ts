import type { ScreenshotTask } from '@app/contracts';
import { startTestApi, type StartedApi } from '../../test/started-api.js';

const IMAGE = {
  ...{ kind: 'image', url: 'http://a.example/', widthPx: 1, heightPx: 1, isClipped: false },
  ...{ latencyMs: 1, image: { base64: '' } },
};

describe('the width of a screenshot', () => {
  let api: StartedApi;
  let tasks: ScreenshotTask[];
  beforeAll(async () => {
    api = await startTestApi();
    tasks = await api.fakeFetcher<ScreenshotTask>('screenshot', () => IMAGE);
  });
  afterAll(() => api.stop());

  const shoot = (body: object) =>
    api.client.call('POST', '/v1/screenshot', { url: 'http://93.184.216.34/', ...body });

  it.each([
    [{}, 1_280],
    [{ width: 3_840 }, 3_840],
    [{ mobile: true }, 390],
    [{ mobile: true, width: 360 }, 360],
    [{ mobile: true, width: 1_280 }, 1_280],
    [{ mobile: false, width: 1_281 }, 1_281],
  ])('of %j is the requested one', async (body, widthPx) => {
    expect((await shoot(body)).status).toBe(200);
    expect(tasks.at(-1)?.shot.widthPx).toBe(widthPx);
  });

  it('of a phone has a maximum, which the error names', async () => {
    const before = tasks.length;
    const { status, body } = await shoot({ mobile: true, width: 1_281 });
    expect([status, body]).toEqual([
      400,
      {
        error:
          '`width` must be at most 1280 with `mobile`: a phone is no wider. Omit `mobile` for a wider page',
      },
    ]);
    expect(tasks).toHaveLength(before);
  });
});
