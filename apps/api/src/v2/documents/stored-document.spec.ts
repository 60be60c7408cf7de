import { presentV2Stored } from './stored-document.js';

const PAGE = {
  index: 1,
  url: 'http://a.example/final',
  ok: true,
  statusCode: 200,
  markdown: 'He said "\\\\" and left.\n{"metadata":1}',
  metadata: {
    ...{ title: 'A', sourceURL: 'http://a.example/', contentType: 'text/html' },
    ...{ fetchMethod: 'hosted_browser', latencyMs: 5, cached: false },
    openGraph: { 'og:image': 'http://a.example/i.png' },
  },
  cascade: { level: 1, attempts: [] },
  unblock: { attempts: [] },
};
const shown = (result: object, schemeless?: readonly number[]): unknown =>
  JSON.parse(presentV2Stored(Buffer.from(JSON.stringify(result)), schemeless).toString());

describe('a stored page as a document', () => {
  it('has its text unchanged, and the metadata of a document', () => {
    expect(shown(PAGE)).toEqual({
      markdown: PAGE.markdown,
      metadata: {
        ...{ title: 'A', ogImage: 'http://a.example/i.png', sourceURL: 'http://a.example/' },
        ...{ url: PAGE.url, statusCode: 200, contentType: 'text/html', proxyUsed: 'stealth' },
        ...{ cacheState: 'miss', creditsUsed: 1 },
      },
    });
  });

  it('has the outputs of a job of /v1, too, and none that is missing', () => {
    const more = { links: ['http://a.example/b'], screenshot: null, rawHtml: '<html>' };
    expect(shown({ ...PAGE, ...more })).toMatchObject({ links: more.links, rawHtml: '<html>' });
    expect(shown({ ...PAGE, ...more })).not.toHaveProperty('screenshot');
  });

  it('names the URL as it was sent', () => {
    expect(shown(PAGE, [0, 1])).toMatchObject({ metadata: { sourceURL: 'a.example/' } });
    expect(shown(PAGE, [0])).toMatchObject({ metadata: { sourceURL: 'http://a.example/' } });
  });

  it('says what is incomplete', () => {
    expect(shown({ ...PAGE, partial: true, partial_reason: 'timeout' })).toMatchObject({
      warning: 'The content is incomplete: timeout.',
    });
  });

  it.each([
    [{ isPdf: true }, 'application/pdf'],
    [
      { isPdf: false, format: 'docx' },
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    [{ isPdf: false, format: 'csv' }, 'text/csv'],
  ])('of a document file %j has its type', (kind, contentType) => {
    const file = { url: 'http://a.example/r', ok: true, ...kind, markdown: '# R', text: 'R' };
    expect(shown(file)).toEqual({
      markdown: '# R',
      metadata: {
        ...{ sourceURL: file.url, url: file.url, statusCode: 200, contentType },
        ...{ proxyUsed: 'basic', cacheState: 'miss', creditsUsed: 1 },
      },
    });
  });
});
