import { Deadline } from '@app/contracts';
import { SiteServer, until } from '@app/testing';
import { EgressGuard } from './guard.js';
import { HttpClient } from './http-client.js';

describe('a body that is watched', () => {
  it('is reported piece by piece as it comes, without redirects, and is whole at the end', async () => {
    const open: { end: () => void }[] = [];
    const site = await SiteServer.start(({ url, response }) => {
      if (url.pathname === '/start') {
        return void response.writeHead(302, { location: '/end' }).end('elsewhere');
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      open.push({ end: () => void response.end('data: 2\n\n') });
    });
    const guard = EgressGuard.forEndpoint(site.url());
    const http = new HttpClient({ guard, userAgent: 'Test/1', connectTimeoutMs: 60_000 });
    const pieces: string[] = [];
    const fetched = http.fetch({
      url: site.url('/start'),
      deadline: Deadline.after(60_000),
      maxBytes: 1_000,
      onData: (chunk) => void pieces.push(Buffer.from(chunk).toString()),
    });
    await until(() => pieces.length === 1);
    open[0]?.end();
    expect(Buffer.from((await fetched).body).toString()).toBe('data: 1\n\ndata: 2\n\n');
    expect(pieces).toEqual(['data: 1\n\n', 'data: 2\n\n']);
    await http.close();
    await site.close();
  });
});
