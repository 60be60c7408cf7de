import { renderSuite } from '../../test/render-suite.js';

const LONG = 'enough text to be a page of its own and not a shell. '.repeat(6);

describe('signatures of a page', () => {
  const suite = renderSuite({
    '/page': `<p>${LONG}<script src=/own.js></script><iframe src=/frame></iframe><img src=/a.png>`,
    '/own.js': 'fetch("/data")',
    '/frame': `<p>${LONG}`,
    '/data': '{}',
    '/to-other-host': ({ url, response }) => {
      response.writeHead(302, { location: `http://localhost:${url.port}/page` }).end();
    },
    '/by-script': '<script>location.href = "/page"</script>',
    '/posts':
      '<form method=post action=/page><input name=a value=1></form><script>document.forms[0].submit()</script>',
  });

  const signed: string[] = [];
  const signDocument = async (target: URL): Promise<Readonly<Record<string, string>>> => {
    signed.push(target.href);
    return {
      'signature-agent': 'sig1="https://bot.example"',
      signature: `sig1=:${signed.length}:`,
    };
  };
  beforeEach(() => void (signed.length = 0));

  /** Path and signature of each request, in order. */
  const signatures = (): (readonly [string, string | undefined])[] =>
    suite.site
      .requests()
      .filter(({ path }) => path !== '/favicon.ico')
      .map(({ path, headers }) => [path, headers['signature'] as string | undefined]);

  it('are on its document and on nothing that it loads', async () => {
    await suite.render('/page', { signDocument });
    expect(Object.fromEntries(signatures())).toEqual({
      '/page': 'sig1=:1:',
      ...{ '/own.js': undefined, '/frame': undefined, '/data': undefined },
    });
  });

  it.each([
    ['/to-other-host', (site: string) => site.replace('127.0.0.1', 'localhost')],
    ['/by-script', (site: string) => site],
  ])('are made anew for the document after %s', async (path, other) => {
    await suite.render(path, { signDocument });
    expect(signatures().slice(0, 2)).toEqual([
      [path, 'sig1=:1:'],
      ['/page', 'sig1=:2:'],
    ]);
    expect(signed).toEqual([suite.site.url(path), other(suite.site.url('/page'))]);
  });

  it('are on a form that the page sends, and leave its body and its other headers', async () => {
    await suite.render('/posts', { signDocument });
    const [request] = suite.site.requests('/page');
    expect(request).toMatchObject({
      method: 'POST',
      body: 'a=1',
      headers: { signature: 'sig1=:2:', 'content-type': 'application/x-www-form-urlencoded' },
    });
  });

  it('leave the other headers of the browser as they are', async () => {
    await suite.render('/frame', { signDocument });
    await suite.render('/frame');
    const [withIt, without] = suite.site.requests('/frame').map(({ headers }) => headers);
    const { signature, 'signature-agent': agent, ...others } = withIt ?? {};
    expect([signature, agent]).toEqual(['sig1=:1:', 'sig1="https://bot.example"']);
    expect(others).toEqual(without);
  });

  it('take the place of those of a caller', async () => {
    const headers = { signature: 'mine=:0:', 'x-mine': '1' };
    await suite.render('/frame', { signDocument, headers });
    expect(suite.site.requests('/frame')[0]?.headers).toMatchObject({
      signature: 'sig1=:1:',
      'x-mine': '1',
    });
  });

  it('are none where none are made', async () => {
    await suite.render('/page');
    expect(signatures().map(([, signature]) => signature)).not.toContain('sig1=:1:');
  });

  it('hold the document back until they are made', async () => {
    const never = (): Promise<never> => Promise.reject(new Error('no signature'));
    await suite.failure('/frame', { signDocument: never, deadlineMs: 3_000 });
    expect(suite.site.requests('/frame')).toEqual([]);
  });
});
