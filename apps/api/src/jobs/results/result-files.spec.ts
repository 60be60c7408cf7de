import { unzipSync } from 'fflate';
import type { StoredResult } from '@app/jobs';
import { csvOf, slugOf, zipOf } from './result-files.js';

async function* results(...documents: readonly object[]): AsyncGenerator<StoredResult> {
  for (const [at, document] of documents.entries())
    yield { resultNo: at + 1, document: Buffer.from(JSON.stringify(document)) };
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks));
}

const PAGE = {
  ...{ url: 'http://a.example/b/c.html', ok: true, statusCode: 200, markdown: '# Ä\n' },
  metadata: { title: '=1+1, "x"', fetchMethod: 'plain', latencyMs: 5 },
};
const FAILED = { index: 1, url: 'nope', ok: false, error: 'Invalid URL' };

describe('results as files', () => {
  it('are a table that no spreadsheet runs', async () => {
    const table = (await all(csvOf(results(PAGE, FAILED)))).toString();
    expect(table.split('\r\n')).toEqual([
      'url,title,description,language,status_code,fetched_by,ms,markdown_chars',
      `http://a.example/b/c.html,"'=1+1, ""x""",,,200,plain,5,4`,
      'nope,,,,,,,',
      '',
    ]);
  });

  it('are a file of Markdown for each page that has some', async () => {
    const files = unzipSync(await all(zipOf(results(PAGE, FAILED, { ...PAGE, markdown: '' }))));
    const texts = Object.entries(files).map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString(),
    ]);
    expect(texts).toEqual([
      ['00001-b-c.md', '# Ä\n'],
      ['00003-b-c.md', ''],
    ]);
  });

  it.each([
    ['http://a.example/', 'index'],
    ['http://a.example/a/../..%2f..%2fetc/passwd', 'etc-passwd'],
    ['http://a.example/%E6%97%A5%E6%9C%AC.html', '日本'],
    ['http://a.example/%ff', 'ff'],
    [`http://a.example/${'x'.repeat(200)}`, 'x'.repeat(80)],
    ['not an address', 'not-an-address'],
  ])('are named after %s: %s', (url, slug) => {
    expect(slugOf(url)).toBe(slug);
  });
});
