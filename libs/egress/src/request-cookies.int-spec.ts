import { startLeakCheck } from '@app/testing';
import { type ClientFixture, createClient, get } from '../test/client-fixture.js';
import { RawServer, redirect, responseOf, type Script } from '../test/raw-server.js';
import { rejection } from '../test/rejection.js';
import { TEST_CA, TEST_CERT, TEST_KEY } from '../test/tls-fixture.js';
import { HeaderRefusedError } from './forwardable-headers.js';
import { HttpFetchError } from './http-fetch-error.js';

let site: RawServer;
let fixture: ClientFixture;
const closers: (() => Promise<void>)[] = [];

const DNS = {
  'www.site.example': ['127.0.0.1'],
  'a.github.io': ['127.0.0.1'],
  'b.github.io': ['127.0.0.1'],
};

async function open(script: Script, tls = false): Promise<void> {
  const opened = await RawServer.start(
    script,
    tls ? { tls: { key: TEST_KEY, cert: TEST_CERT } } : {},
  );
  site = opened;
  fixture = createClient([site.port], { ca: [TEST_CA] }, DNS);
  const { client } = fixture;
  closers.push(async () => {
    await client.close();
    await opened.close();
  });
}

const at = (path: string, host = 'site.example') => `http://${host}:${site.port}${path}`;

/** The Cookie header of each request in order; null where there was none. */
const cookiesSent = () => site.heads.map((head) => /^cookie: (.*)\r$/im.exec(head)?.[1] ?? null);

/** Responds hop by hop: a redirect that sets these cookies, then the end. */
function hops(...steps: readonly (readonly [location: string, ...cookies: string[]])[]): Script {
  return (socket, _head, turn) => {
    const step = steps[turn];
    if (step === undefined) return void socket.write(responseOf('end'));
    const [location, ...cookies] = step;
    const lines = cookies.map((cookie) => `Set-Cookie: ${cookie}\r\n`).join('');
    socket.write(
      `HTTP/1.1 302 Found\r\nLocation: ${location}\r\n${lines}Content-Length: 0\r\n\r\n`,
    );
  };
}

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe("the caller's cookies", () => {
  it.each([
    ['as a field', { cookies: 'a=1; b=2' }, 'a=1; b=2'],
    ['as a header', { headers: { Cookie: 'a=1; b=2' } }, 'a=1; b=2'],
    ['both ways', { cookies: 'b=2', headers: { cookie: 'a=1' } }, 'b=2; a=1'],
    ['none', {}, null],
    ['blank', { cookies: ' ; ' }, null],
  ])('are sent: %s', async (_name, request, sent) => {
    await open(hops());
    await fixture.client.fetch(get(at('/'), request));
    expect(cookiesSent()).toEqual([sent]);
  });

  it('go to the first origin only, also when the way comes back to it', async () => {
    await open((socket, _head, turn) => {
      const targets = [at('/', 'other.example'), at('/2')];
      socket.write(turn < 2 ? redirect(targets[turn] ?? '') : responseOf('end'));
    });
    await fixture.client.fetch(get(at('/'), { cookies: 'a=1' }));
    expect(cookiesSent()).toEqual(['a=1', null, 'a=1']);
  });

  it('are not sent to another port of the host', async () => {
    await open((socket) => socket.write(responseOf('end')));
    const first = await RawServer.start((socket) => socket.write(redirect(at('/'))));
    const { client } = createClient([site.port, first.port]);
    await client.fetch(get(`http://site.example:${first.port}/`, { cookies: 'a=1' }));
    expect(first.heads[0]).toMatch(/cookie: a=1/i);
    expect(cookiesSent()).toEqual([null]);
    await client.close();
    await first.close();
  });

  it.each([
    ['replaced', 'a=9', 'b=2; a=9'],
    ['deleted', 'a=; Max-Age=0', 'b=2'],
  ])('are %s by the site', async (_name, setCookie, sent) => {
    await open(hops(['/2', setCookie]));
    await fixture.client.fetch(get(at('/'), { cookies: 'a=1; b=2' }));
    expect(cookiesSent()).toEqual(['a=1; b=2', sent]);
  });

  it.each([
    ['a line break', 'a=1\r\nX-Evil: 1'],
    ['a control character', 'a=\x01'],
    ['more than 16 KiB', `a=${'x'.repeat(17_000)}`],
  ])('with %s are refused before anything is sent', async (_name, cookies) => {
    await open(hops());
    await rejection(fixture.client.fetch(get(at('/'), { cookies })), HeaderRefusedError);
    expect(site.connections).toBe(0);
  });
});

describe('cookies set on the way', () => {
  it.each<[string, string, string | null]>([
    ['a plain one', 'a=1', 'a=1'],
    ['one of a matching path', 'a=1; Path=/in', 'a=1'],
    ['one of another path', 'a=1; Path=/out', null],
    ['one of the same domain', 'a=1; Domain=site.example', 'a=1'],
    ['one of another domain', 'a=1; Domain=other.example', null],
    ['one of a subdomain', 'a=1; Domain=deep.site.example', null],
    ['a Secure one from http', 'a=1; Secure', null],
    ['a __Host- one from http', '__Host-a=1; Secure; Path=/', null],
    ['an expired one', 'a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', null],
    ['one past 4 KiB', `a=${'x'.repeat(5_000)}`, null],
    ['one without a name', '=1', null],
    ['garbage', ';;;', null],
  ])('%s', async (_name, setCookie, sent) => {
    await open(hops(['/in/2', setCookie]));
    await fixture.client.fetch(get(at('/in/1')));
    expect(cookiesSent()).toEqual([null, sent]);
  });

  it.each([
    ['host-only ones stay', 'a=1', null],
    ['those of the domain go', 'a=1; Domain=site.example', 'a=1'],
  ])('on the way to a subdomain: %s', async (_name, setCookie, sent) => {
    await open((socket, head, turn) =>
      turn === 0
        ? socket.write(
            responseOf(
              '',
              { Location: at('/', 'www.site.example'), 'Set-Cookie': setCookie },
              '302 F',
            ),
          )
        : socket.write(responseOf(head)),
    );
    await fixture.client.fetch(get(at('/')));
    expect(cookiesSent()).toEqual([null, sent]);
  });

  it('of one site never reach another, and are still there on return', async () => {
    await open((socket, _head, turn) => {
      const steps = [
        [at('/', 'other.example'), 'site=1'],
        [at('/back'), 'other=1'],
      ] as const;
      const step = steps[turn];
      socket.write(
        step === undefined
          ? responseOf('end')
          : responseOf('', { Location: step[0], 'Set-Cookie': step[1] }, '302 Found'),
      );
    });
    await fixture.client.fetch(get(at('/')));
    expect(cookiesSent()).toEqual([null, null, 'site=1']);
  });

  it('for a public suffix are refused', async () => {
    await open((socket, _head, turn) =>
      socket.write(
        turn === 0
          ? responseOf(
              '',
              { Location: at('/', 'b.github.io'), 'Set-Cookie': 'a=1; Domain=github.io' },
              '302 F',
            )
          : responseOf('end'),
      ),
    );
    await fixture.client.fetch(get(at('/', 'a.github.io')));
    expect(cookiesSent()).toEqual([null, null]);
  });

  it('marked Secure go back over https only', async () => {
    await open((socket, _head, turn) => {
      const headers = { Location: '/2', 'Set-Cookie': 'a=1; Secure' };
      socket.write(turn === 0 ? responseOf('', headers, '302 Found') : responseOf('end'));
    }, true);
    await fixture.client.fetch(get(`https://site.example:${site.port}/`));
    expect(cookiesSent()).toEqual([null, 'a=1']);
  });

  it('are counted: the fifty-first is dropped', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `c${index}=1`);
    await open(hops(['/2', ...many.slice(0, 30)], ['/3', ...many.slice(30)]));
    await fixture.client.fetch(get(at('/')));
    expect(cookiesSent()[2]?.split('; ')).toHaveLength(50);
  });

  it('of one request are unknown to another running beside it', async () => {
    await open((socket, head) => {
      const user = /\/(\w+)\/(in|out)/.exec(head);
      const headers = { Location: `/${user?.[1]}/out`, 'Set-Cookie': `user=${user?.[1]}` };
      if (user?.[2] === 'in') socket.write(responseOf('', headers, '302 Found'));
      else socket.write(responseOf(/^cookie: (.*)\r$/im.exec(head)?.[1] ?? 'none'));
    });
    const users = Array.from({ length: 20 }, (_, index) => `u${index}`);
    const bodies = await Promise.all(
      users.map(async (user) => {
        const { body } = await fixture.client.fetch(get(at(`/${user}/in`)));
        return Buffer.from(body).toString();
      }),
    );
    expect(bodies).toEqual(users.map((user) => `user=${user}`));
    const after = await fixture.client.fetch(get(at('/u0/out')));
    expect(Buffer.from(after.body).toString()).toBe('none');
  });
});

describe('redirects by status and method', () => {
  const statuses = [301, 302, 303, 307, 308] as const;
  const table = statuses.flatMap((status) => [
    [status, 'GET', 'GET'] as const,
    [status, 'POST', status >= 307 ? 'POST' : 'GET'] as const,
  ]);

  it.each(table)('%i after %s is followed by %s', async (status, method, next) => {
    await open((socket, _head, turn) =>
      socket.write(turn === 0 ? redirect('/to', status) : responseOf('end')),
    );
    const body = method === 'POST' ? { body: 'data' } : {};
    const response = await fixture.client.fetch(get(at('/'), { method, ...body }));
    expect(site.heads[1]?.split(' ')[0]).toBe(next);
    expect(response.redirects).toEqual([{ url: at('/'), status, location: '/to' }]);
  });

  it.each([304, 305, 306])('%i is not followed', async (status) => {
    await open((socket) => socket.write(redirect('/to', status)));
    expect((await fixture.client.fetch(get(at('/')))).status).toBe(status);
    expect(site.heads).toHaveLength(1);
  });
});

describe('a redirect loop', () => {
  it.each<[string, Script, number]>([
    ['to itself', (socket) => socket.write(redirect('/')), 1],
    ['to itself by a fragment', (socket) => socket.write(redirect('/#a')), 1],
    [
      'of two pages',
      (socket, head) => socket.write(redirect(head.startsWith('GET / ') ? '/b' : '/')),
      2,
    ],
    [
      'that sets the same cookie each time',
      (socket) =>
        socket.write(responseOf('', { Location: '/', 'Set-Cookie': 'seen=1' }, '302 Found')),
      2,
    ],
  ])('%s is reported at once', async (_name, script, requests) => {
    await open(script);
    const error = await rejection(fixture.client.fetch(get(at('/'))), HttpFetchError);
    expect([error.errorClass, error.code]).toEqual(['http_error', 'redirect_loop']);
    expect(site.heads).toHaveLength(requests);
  });

  it('is not a bounce that sets a cookie and comes back', async () => {
    await open((socket, head) => {
      const headers = { Location: '/', 'Set-Cookie': 'consent=1' };
      socket.write(
        /consent=1/.test(head) ? responseOf('page') : responseOf('', headers, '302 Found'),
      );
    });
    const response = await fixture.client.fetch(get(at('/')));
    expect([response.status, response.redirects.length]).toEqual([200, 1]);
  });

  it('is not a form that is posted and then shown', async () => {
    await open((socket, _head, turn) =>
      socket.write(turn === 0 ? redirect('/', 303) : responseOf('saved')),
    );
    const response = await fixture.client.fetch(get(at('/'), { method: 'POST', body: 'x' }));
    expect(response.status).toBe(200);
  });

  it('with a new cookie each time ends at the cap, and leaves nothing open', async () => {
    const leaks = startLeakCheck();
    await open((socket, _head, turn) =>
      socket.write(responseOf('', { Location: '/', 'Set-Cookie': `n=${turn}` }, '302 Found')),
    );
    const error = await rejection(fixture.client.fetch(get(at('/'))), HttpFetchError);
    expect(error.code).toBe('too_many_redirects');
    expect(site.heads).toHaveLength(11);
    for (const close of closers.splice(0)) await close();
    await leaks.assertClean();
  });
});
