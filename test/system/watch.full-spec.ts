import { startFixtureSite, until, type FixtureSite } from '@app/testing';
import { deploy, MODES, type Deployment } from './deployment.js';
import { JobSocket } from './job-socket.js';

describe.each(MODES)('the WebSocket of a job (%s)', (mode) => {
  let site: FixtureSite;
  let service: Deployment;

  beforeAll(async () => {
    site = await startFixtureSite({ slowPages: 1_000, slowMs: 300 });
    service = await deploy(mode, { env: { BROWSER_MAX: '0', DRAIN_SECONDS: '1' } });
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  it('is closed when the process drains, and the process ends', async () => {
    const url = site.url('/slow-site/0');
    const { jobId } = await service.client.crawl({ url, limit: 500, allowBackwardLinks: true });
    const watch = () => JobSocket.open(`${service.url}/v2/crawl/${jobId}`, { key: service.key });
    const [reading, silent] = [await watch(), await watch()];
    // Reads nothing any more, not even the end of the stream.
    silent.socket.pause();
    await until(() => reading.types.includes('document'), { what: 'a document' });
    const exit = service.apps[0]?.process.stop('SIGTERM', 20_000);
    expect(await reading.end()).toEqual({ code: 1001, reason: 'this server is shutting down' });
    expect((await exit)?.code).toBe(0);
    silent.socket.terminate();
  });
});
