import { startFixtureSite, type FixtureSite } from '@app/testing';
import { share } from './shared-cluster.js';

describe('a shared cluster', () => {
  let site: FixtureSite;
  beforeAll(async () => {
    site = await startFixtureSite();
  });
  afterAll(() => site?.close());

  it('serves one spec file after the other, each as a tenant of its own', async () => {
    const first = await share();
    const { jobId } = await first.client.crawl({ url: site.url('/'), limit: 1 });
    await first.client.waitForEnd(jobId);
    await first.stop();
    const second = await share();
    expect([second.url, second.key === first.key]).toEqual([first.url, false]);
    await expect(second.client.job(jobId)).rejects.toMatchObject({ answer: { status: 404 } });
    await second.stop();
  });

  it('names work that a file leaves, and is not used again', async () => {
    const first = await share();
    await first.client.crawl({ url: site.url('/slow/600000/a'), limit: 1 });
    await expect(first.stop()).rejects.toThrow(
      /this spec file leaves in the shared cluster: a job that is \w+/,
    );
    const second = await share();
    expect(second.url).not.toBe(first.url);
    await second.stop();
  });

  it('is not used again when a file ends without giving it back', async () => {
    const lost = await share();
    await lost.database.close();
    const next = await share();
    expect(next.url).not.toBe(lost.url);
    await next.stop();
  });
});
