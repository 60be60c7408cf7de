import { createClient, get } from '../test/client-fixture.js';
import { RawServer } from '../test/raw-server.js';
import { rejection } from '../test/rejection.js';
import { HttpFetchError } from './http-fetch-error.js';

const OK = 'HTTP/1.1 200 OK\r\n';

async function fetchFrom(bytes: string | Buffer, isEnded = true) {
  const site = await RawServer.start((socket) => {
    socket.write(bytes);
    if (isEnded) socket.end();
  });
  const { client } = createClient([site.port]);
  try {
    return await client.fetch(get(`http://site.example:${site.port}/`, { maxBytes: 1_000_000 }));
  } finally {
    await client.close();
    await site.close();
  }
}

describe('a response that is', () => {
  it.each([
    ['nothing at all', '', 'network', /UND_ERR_SOCKET/],
    ['not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'parse_error', /^invalid_http$/],
    ['HTTP/0.9', '<html>hello</html>', 'parse_error', /^invalid_http$/],
    [
      'a header of 1 MB',
      `${OK}X: ${'x'.repeat(1_000_000)}\r\n\r\n`,
      'parse_error',
      /^headers_too_large$/,
    ],
    [
      '100,000 headers',
      `${OK}${'a: b\r\n'.repeat(100_000)}\r\n`,
      'parse_error',
      /^headers_too_large$/,
    ],
    [
      'two Content-Lengths',
      `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`,
      'parse_error',
      /^content_length_mismatch$/,
    ],
    [
      'Content-Length and chunks',
      `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello`,
      'parse_error',
      /^content_length_mismatch$/,
    ],
    [
      'a Content-Length that is no number',
      `${OK}Content-Length: five\r\n\r\nhello`,
      'parse_error',
      /^invalid_http$/,
    ],
    [
      'NUL in a header',
      `${OK}X-A: a\0b\r\nContent-Length: 0\r\n\r\n`,
      'parse_error',
      /^invalid_http$/,
    ],
    [
      'a bare CR in a header',
      `${OK}X-A: a\rb\r\nContent-Length: 0\r\n\r\n`,
      'parse_error',
      /^invalid_http$/,
    ],
    [
      'a header name with a space',
      `${OK}X A: b\r\nContent-Length: 0\r\n\r\n`,
      'parse_error',
      /^invalid_http$/,
    ],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', 'parse_error', /^invalid_http$/],
    [
      'a switch of protocols',
      'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'network',
      /./,
    ],
    ['an unasked 100', 'HTTP/1.1 100 Continue\r\n\r\n', 'network', /./],
    [
      'a flood of 103s',
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000),
      'network',
      /interim_flood/,
    ],
    ['cut in the headers', `${OK}Content-Le`, 'network', /./],
    ['cut before the body', `${OK}Content-Length: 5\r\n\r\n`, 'network', /./],
  ] as const)('%s is an error of a named class', async (_name, bytes, errorClass, code) => {
    const error = await rejection(fetchFrom(bytes), HttpFetchError);
    expect(error.errorClass).toBe(errorClass);
    expect(error.code).toMatch(code);
  });

  it.each([
    ['shorter than its Content-Length', `${OK}Content-Length: 500\r\n\r\nhello`],
    ['cut in a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\nff\r\nhello`],
    ['broken in its chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n`],
  ])('%s gives what came', async (_name, bytes) => {
    const response = await fetchFrom(bytes);
    expect([Buffer.from(response.body).toString(), response.truncation]).toEqual([
      'hello',
      'stream_end',
    ]);
  });

  it('longer than its Content-Length gives no more than that', async () => {
    const response = await fetchFrom(
      `${OK}Content-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\n\r\nsecond`,
    );
    expect([Buffer.from(response.body).toString(), response.truncated]).toEqual(['hello', false]);
  });

  it('followed by an unrequested response does not reach the next request', async () => {
    const smuggled = `${OK}Content-Length: 3\r\n\r\none${OK}Content-Length: 3\r\n\r\nbad`;
    const site = await RawServer.start((socket, _head, turn) =>
      socket.write(turn === 0 ? smuggled : `${OK}Content-Length: 3\r\n\r\ntwo`),
    );
    const { client } = createClient([site.port]);
    const bodies: string[] = [];
    for (const path of ['1', '2']) {
      const { body } = await client.fetch(get(`http://site.example:${site.port}/${path}`));
      bodies.push(Buffer.from(body).toString());
    }
    expect(bodies).toEqual(['one', 'two']);
    await client.close();
    await site.close();
  });

  it('full of odd header names harms nothing', async () => {
    const response = await fetchFrom(
      `${OK}__proto__: x\r\nconstructor: y\r\ntoString: z\r\nContent-Length: 2\r\n\r\nok`,
    );
    expect(response.headers['constructor']).toBe('y');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(Object.getPrototypeOf(response.headers)).toBe(Object.getPrototypeOf(response.timings));
  });

  it('cut at each of its bytes is a response or a named error, never a crash', async () => {
    const whole = `${OK}Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`;
    const site = await RawServer.start((socket, head) => {
      socket.end(whole.slice(0, Number(/GET \/(\d+)/.exec(head)?.[1])));
    });
    const { client } = createClient([site.port]);
    for (let end = 0; end <= whole.length; end++) {
      const outcome = await client
        .fetch(get(`http://site.example:${site.port}/${end}`))
        .catch((error: unknown) => error);
      const isNamed = outcome instanceof HttpFetchError && outcome.errorClass !== 'timeout';
      const isResponse = typeof outcome === 'object' && outcome !== null && 'status' in outcome;
      expect([end, isNamed || isResponse]).toEqual([end, true]);
    }
    await client.close();
    await site.close();
  });
});
