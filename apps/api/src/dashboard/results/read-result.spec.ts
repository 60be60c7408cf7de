import { readResult } from './read-result.js';
import { resultView } from './result-view.js';

const PNG = 'data:image/png;base64,iVBORw0KGgo=';

describe('a result for the viewer', () => {
  it('is read field by field, from a stored page and from a response alike', () => {
    const metadata = { title: 'T', fetchMethod: 'plain', latencyMs: 12 };
    const page = { url: 'http://a.example/', statusCode: 200, markdown: '# a', metadata };
    expect(readResult(page)).toEqual({
      ...{ url: 'http://a.example/', title: 'T', statusCode: 200, fetchedBy: 'plain' },
      ...{ latencyMs: 12, partialReason: null, markdown: '# a', source: null, links: null },
      ...{ picture: null, extracted: [], passages: null, metadata, attempts: null },
      json: JSON.stringify(page, null, 2),
    });
    const formats = { links: ['http://a.example/b', 5], screenshot: PNG, summary: 'S', json: null };
    expect(readResult({ ...page, formats, listing: { name: 'L' } })).toMatchObject({
      ...{ links: ['http://a.example/b'], picture: PNG },
      extracted: [
        { title: 'Summary', value: 'S' },
        { title: 'Listing', value: { name: 'L' } },
      ],
    });
  });

  it.each([
    null,
    5,
    'x',
    [],
    {},
    { metadata: 'x', url: 5, markdown: {}, formats: [], cascade: 1 },
    { actions: { screenshots: 5 } },
  ])('of another shape shows nothing: %j', (value) => {
    expect(readResult(value)).toMatchObject({ url: '', title: null, markdown: null });
  });

  it.each([
    [{ base64: 'iVBORw0KGgo=', format: 'png' }, PNG],
    [{ imageUrl: 'https://s3.example/a.png' }, 'https://s3.example/a.png'],
    [{ screenshot: 'javascript:alert(1)' }, null],
    [{ screenshot: 'data:text/html,<script>' }, null],
    [{ base64: 'x', format: 'svg+xml' }, null],
  ])('shows an image and no document: %j', (fields, picture) => {
    expect(readResult(fields).picture).toBe(picture);
  });

  it('shows attempts one after the other', () => {
    const attempts = [
      { rung: 'plain', ok: false, latency_ms: 40, error_class: 'js_shell' },
      { rung: 'headless', ok: true, latency_ms: 900, error_class: null },
    ];
    expect(readResult({ cascade: { attempts } }).attempts).toEqual([
      { rung: 'plain', isOk: false, latencyMs: 40, startMs: 0, errorClass: 'js_shell' },
      { rung: 'headless', isOk: true, latencyMs: 900, startMs: 40, errorClass: null },
    ]);
  });

  it('has passages of a question, whatever else is among them', () => {
    const passage = { text: '**A**', headings: ['T', 5], url: 'javascript:alert(1)' };
    const shown = readResult({ formats: { passages: [passage, 5, {}] } });
    expect(shown.passages).toEqual([
      { text: '**A**', headings: ['T'], url: 'javascript:alert(1)' },
      { text: '', headings: [], url: '' },
    ]);
    const page = String(resultView(shown, []));
    expect(page).toContain('<strong>A</strong>');
    expect(page).not.toContain('href="javascript');
  });

  it('says of an image in its JSON how long it is, and keeps other long texts', () => {
    const text = 'a b '.repeat(1_000);
    const image = `data:image/png;base64,${'A'.repeat(5_000)}`;
    const { json } = readResult({ text, image, base64: 'A'.repeat(3_000) });
    expect(json).toContain(text);
    expect(json).toContain('(5022 characters)');
    expect(json).toContain('(3000 characters)');
    expect(json.length).toBeLessThan(4_500);
  });
});
