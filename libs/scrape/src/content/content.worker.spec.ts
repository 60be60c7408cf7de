import { DEFAULT_CONTENT_OPTIONS } from '@app/contracts';
import type { ContentTask } from './content-task.js';
import { contentSteps } from './content.worker.js';

const { convert } = contentSteps;
const HTML = '<title>Acme</title><p>Write to hello@acme-tools.com</p>';

const task = (over: Partial<ContentTask> = {}): ContentTask => ({
  body: new TextEncoder().encode(HTML),
  contentType: 'text/html; charset=utf-8',
  url: 'https://acme-tools.com/',
  isCut: false,
  outputs: {},
  options: DEFAULT_CONTENT_OPTIONS,
  tenantId: null,
  crawl: null,
  maxCpuMs: 60_000,
  ...over,
});

const surroundings = { headers: { server: ['nginx'] }, cookies: { a: '1' } };

describe('a page in a content thread', () => {
  it('has only the requested parts', () => {
    const { content, ...rest } = convert(task());
    expect(rest).toEqual({ found: [] });
    expect(content).not.toHaveProperty('rawHtml');
    expect(content).not.toHaveProperty('read');
  });

  it('ends with its CPU time, as far as it is converted by then', () => {
    const body = new TextEncoder().encode('<p>one</p>'.repeat(50_000));
    const { content } = convert(task({ body, outputs: { markdown: true }, maxCpuMs: 0 }));
    expect(content.truncatedBy).toBe('max_cpu');
    expect(content.markdown).toMatch(/^one\n\none\n/);
  });

  it('is judged, and its facts stay there', () => {
    const judged = { statusCode: 200, headers: {}, isRendered: false, bytes: HTML.length };
    const { content, verdict } = convert(task({ judged }));
    expect(verdict).toEqual({
      ...{ kind: 'complete', signals: [], visibleChars: 27, contentChars: 27 },
      ...{ holes: 1, mayBringMore: false, passwordFields: 0 },
    });
    expect(content).not.toHaveProperty('facts');
    const binary = { body: new Uint8Array([0, 1, 2, 255]), contentType: null };
    expect(convert(task({ judged, ...binary })).verdict).toBeUndefined();
  });

  it('is JSON of what was requested of it, and a key of its text', () => {
    const outputs = { markdown: true, links: true, packed: true, contentKey: true };
    const { content, packed, contentKey } = convert(task({ outputs }));
    expect(JSON.parse(Buffer.from(packed ?? []).toString())).toEqual({
      markdown: 'Write to hello@acme-tools.com\n',
      links: [],
    });
    expect(Object.keys(content).filter((name) => name in outputs)).toEqual([]);
    const keyOf = (over: Partial<ContentTask>) =>
      convert(task({ outputs: { contentKey: true }, ...over })).contentKey;
    expect(contentKey).toMatch(/^[0-9a-f]{32}$/);
    expect(keyOf({})).toBe(contentKey);
    const changed = (html: string) => keyOf({ body: new TextEncoder().encode(html) });
    expect(changed(`${HTML}<script nonce=2></script>`)).toBe(contentKey);
    expect(changed(HTML.replace('Write', 'Written'))).not.toBe(contentKey);
    expect(changed(HTML.replace('Acme', 'Acm'))).not.toBe(contentKey);
    expect(changed('<title>Acme</title> ')).toBeUndefined();
  });

  it('has the parts that are wanted of it packed, and its key and its text whole', () => {
    const html = `<title>T</title><h2>Tea</h2><p>${'Leaves are dried in the sun. '.repeat(60)}</p><h2>Price</h2><p>A pot costs four euros.</p>`;
    const body = () => new TextEncoder().encode(html);
    const whole = { packed: true, contentKey: true, fullText: true };
    const wanted = { passages: { query: 'cost of a pot', max: 1 }, maxTokens: 100 };
    const { packed, contentKey, text } = convert(
      task({ body: body(), outputs: { ...whole, ...wanted, markdown: true } }),
    );
    expect(JSON.parse(Buffer.from(packed ?? []).toString())).toMatchObject({
      markdown: expect.stringMatching(
        /\[Cut here: about \d+ tokens are left out, with the sections "Price"\.\]$/,
      ),
      markdownCut: { leftOut: ['Price'] },
      passages: [{ headings: ['Price'], text: expect.stringContaining('four euros') }],
    });
    expect(text?.text).toContain('four euros');
    expect(convert(task({ body: body(), outputs: whole })).contentKey).toBe(contentKey);
    const alone = convert(task({ body: body(), outputs: { ...whole, passages: wanted.passages } }));
    expect(Object.keys(JSON.parse(Buffer.from(alone.packed ?? []).toString()))).toEqual([
      'passages',
    ]);
  });

  it('is read for its company and packed for a scan, by one parse', () => {
    const { content, company, scanInput } = convert(
      task({ outputs: { company: true }, scan: surroundings }),
    );
    expect(company).toMatchObject({
      url: 'https://acme-tools.com/',
      emails: ['hello@acme-tools.com'],
      homepage: { title: 'Acme' },
    });
    expect(JSON.parse(Buffer.from(scanInput ?? []).toString())).toEqual({
      ...surroundings,
      url: 'https://acme-tools.com/',
      html: HTML,
    });
    expect(content).not.toHaveProperty('rawHtml');
  });

  it('keeps its source if that was requested, too', () => {
    const { content } = convert(task({ outputs: { rawHtml: true }, scan: surroundings }));
    expect(content.rawHtml).toBe(HTML);
  });

  it('that is no HTML has no company data; a binary is not scanned', () => {
    const asked = { outputs: { company: true }, scan: surroundings };
    const json = convert(
      task({ ...asked, body: new TextEncoder().encode('{}'), contentType: 'application/json' }),
    );
    expect([json.company, json.scanInput !== undefined]).toEqual([undefined, true]);
    const binary = convert(
      task({ ...asked, body: new Uint8Array([0, 1, 2, 255]), contentType: null }),
    );
    expect([binary.company, binary.scanInput]).toEqual([undefined, undefined]);
  });
});
