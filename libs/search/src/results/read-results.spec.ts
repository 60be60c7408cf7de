import { encodeText } from '../../../testing/src/site/charset-samples.js';
import { parseSerpSetting } from '../backends/serp-setting.js';
import { parseHtmlSetting } from '../backends/html-setting.js';
import type { PageReading } from './page-reading.js';
import { MAX_PAGE_RESULTS } from './page-reading.js';
import { readSearchResults, type ResultShape } from './read-results.js';

const URL_OF_PAGE = 'https://search.example/find?q=x';

function read(text: string, shape: ResultShape, contentType = 'text/html; charset=utf-8') {
  const body = new TextEncoder().encode(text);
  return readSearchResults({ body, contentType, url: URL_OF_PAGE, shape });
}

const preset = (name: string): ResultShape => ({
  kind: 'json',
  shape: parseSerpSetting(
    JSON.stringify({ preset: name, url: 'https://api.example/search', key: 'k' }),
  ).shape,
});
const json = (name: string, answer: unknown): PageReading =>
  read(JSON.stringify(answer), preset(name));

describe('the answers of known search APIs', () => {
  it('are read in the shape of Brave, with its markup', () => {
    const web = {
      type: 'search',
      results: [
        {
          title: 'PostgreSQL: <strong>Row</strong> Security',
          url: 'https://www.postgresql.org/docs/current/ddl-rowsecurity.html',
          description: 'Tables can have <strong>row security policies</strong> &amp; more.',
        },
      ],
    };
    expect(json('brave', { type: 'search', query: { original: 'x' }, web })).toEqual({
      kind: 'results',
      results: [
        {
          title: 'PostgreSQL: Row Security',
          url: 'https://www.postgresql.org/docs/current/ddl-rowsecurity.html',
          snippet: 'Tables can have row security policies & more.',
        },
      ],
    });
    // Without results, the list is left out.
    const none = { type: 'search', query: { original: 'x' }, mixed: {} };
    expect(json('brave', none)).toEqual({ kind: 'results', results: [] });
  });

  it('are read in the shape of Serper', () => {
    const organic = [
      { title: 'A < B', link: 'https://a.example/', snippet: 'About <b>.', position: 1 },
    ];
    expect(json('serper', { searchParameters: { q: 'x' }, organic })).toEqual({
      kind: 'results',
      results: [{ title: 'A < B', url: 'https://a.example/', snippet: 'About <b>.' }],
    });
    expect(json('serper', { searchParameters: { q: 'x' }, organic: [] })).toEqual({
      kind: 'results',
      results: [],
    });
  });

  it('are read in the shape of SerpApi', () => {
    const found = {
      search_metadata: { status: 'Success' },
      search_information: { organic_results_state: 'Results for exact spelling' },
      organic_results: [{ position: 1, title: 'A', link: 'https://a.example/', snippet: 's' }],
    };
    expect(json('serpapi', found)).toMatchObject({ results: [{ url: 'https://a.example/' }] });
    const none = {
      search_metadata: { status: 'Success' },
      search_information: { organic_results_state: 'Fully empty' },
      error: 'No results for this query.',
    };
    expect(json('serpapi', none)).toEqual({ kind: 'results', results: [] });
  });

  it.each<[string, string, PageReading['kind']]>([
    ['broken', '{"organic": [', 'unreadable'],
    ['empty', '', 'unreadable'],
    ['nested without end', '['.repeat(100_000), 'unreadable'],
    ['another object', '{"message": "hello"}', 'drift'],
    ['an object instead of the list', '{"searchParameters": {}, "organic": {}}', 'drift'],
    ['results without addresses', '{"organic": [{"href": "https://a.example/"}]}', 'drift'],
    ['results with other schemes', '{"organic": [{"link": "javascript:alert(1)"}]}', 'drift'],
    ['an error', '{"error": "quota"}', 'drift'],
  ])('that are %s are not taken for results', (_what, text, kind) => {
    expect(read(text, preset('serper')).kind).toBe(kind);
  });

  it('keep good results beside bad ones, bounded in number and length', () => {
    const organic = Array.from({ length: 5_000 }, (_, at) => ({
      link: at === 0 ? 7 : `https://a.example/${at}`,
      title: `t\u0000${'x'.repeat(2_000)}`,
      snippet: '\ud800 s\n s',
    }));
    const reading = json('serper', { organic });
    if (reading.kind !== 'results') throw new Error(reading.kind);
    expect(reading.results).toHaveLength(MAX_PAGE_RESULTS - 1);
    expect(reading.results[0]).toEqual({
      url: 'https://a.example/1',
      title: `t ${'x'.repeat(497)}…`,
      snippet: '\ufffd s s',
    });
  });
});

/** In the structure of the theme "simple" of SearXNG. */
const searxngPage = (urls: string, messages = ''): string => `<!DOCTYPE html><html lang="en"><body>
  <main id="main_results"><div id="results" class="only_template_default">
  <div id="sidebar"><div id="engines_msg"><details><table id="engines_msg-table">${messages}</table></details></div></div>
  <div id="urls" role="main">${urls}</div></div></main></body></html>`;
const searxngResult = (url: string, title: string, content: string): string => `
  <article class="result result-default category-general">
    <a href="${url}" class="url_header" rel="noreferrer"><div class="url_wrapper"><span>a.example</span></div></a>
    <h3><a href="${url}" rel="noreferrer">${title}</a></h3>${content}
    <div class="engines"><span>local</span></div><div class="break"></div>
  </article>`;
const SILENT =
  '<tr><td class="engine-name"><a href="/stats">other</a></td><td class="response-error">timeout</td></tr>';
const NOTHING =
  '<div class="dialog-error-block" role="alert"><p><strong>Sorry!</strong></p><p>No results were found.</p></div>';

describe('a SearXNG instance', () => {
  const page = (text: string): PageReading => read(text, { kind: 'searxng_html' });
  const answer = (value: unknown): PageReading =>
    read(JSON.stringify(value), { kind: 'searxng_json' }, 'application/json');

  it('is read by its JSON', () => {
    const results = [
      { url: 'https://a.example/', title: 'A', content: 'about a', engine: 'x', score: 1 },
    ];
    expect(answer({ query: 'x', results, unresponsive_engines: [['y', 'timeout']] })).toEqual({
      kind: 'results',
      results: [{ url: 'https://a.example/', title: 'A', snippet: 'about a' }],
    });
  });

  it('is read by its page of results', () => {
    const results =
      searxngResult(
        'https://a.example/1',
        '<span class="highlight">A</span> page',
        '<p class="content">About <span class="highlight">a</span>.</p>',
      ) +
      searxngResult(
        'https://a.example/2',
        'Second',
        '<p class="content empty_element">This site did not provide any description.</p>',
      );
    expect(page(searxngPage(results, SILENT))).toEqual({
      kind: 'results',
      results: [
        { url: 'https://a.example/1', title: 'A page', snippet: 'About a.' },
        { url: 'https://a.example/2', title: 'Second', snippet: '' },
      ],
    });
  });

  it('found nothing when all its engines answered', () => {
    expect(answer({ results: [], unresponsive_engines: [] })).toEqual({
      kind: 'results',
      results: [],
    });
    expect(page(searxngPage(NOTHING))).toEqual({ kind: 'results', results: [] });
  });

  it('is incomplete when it found nothing and an engine did not answer', () => {
    expect(answer({ results: [], unresponsive_engines: [['y', 'CAPTCHA']] }).kind).toBe(
      'incomplete',
    );
    expect(page(searxngPage(NOTHING, SILENT)).kind).toBe('incomplete');
  });

  it('has drifted when its structure is another one', () => {
    expect(answer({ results: [] }).kind).toBe('drift');
    expect(answer({ items: [] }).kind).toBe('drift');
    expect(page('<html><body><h1>Welcome</h1></body></html>').kind).toBe('drift');
    const renamed = searxngPage(searxngResult('https://a.example/', 'A', '')).replaceAll(
      'article class="result',
      'article class="hit',
    );
    expect(page(renamed).kind).toBe('drift');
  });
});

const HTML_SETTING = {
  url: 'https://search.example/find?q={query}',
  results: 'div.hit',
  link: 'h2 a',
  snippet: '.text',
  ads: '.ad',
  none: '#nothing',
  linkParameter: 'to',
};
const html = (text: string): PageReading =>
  read(text, { kind: 'html', shape: parseHtmlSetting(JSON.stringify(HTML_SETTING)).shape });
const hit = (href: string, more = ''): string =>
  `<div class="hit ${more}"><h2><a href="${href}">Title &amp; more</a></h2><div class="text">Some <b>text</b></div></div>`;

describe('another page of results', () => {
  it('is read by the selectors of its setting', () => {
    const text = `<body>${hit('/l?to=https%3A%2F%2Fa.example%2Fp%3Fx%3D1&h=2')}${hit('https://b.example/')}${hit('https://ad.example/', 'ad')}</body>`;
    expect(html(text)).toEqual({
      kind: 'results',
      results: [
        { url: 'https://a.example/p?x=1', title: 'Title & more', snippet: 'Some text' },
        { url: 'https://b.example/', title: 'Title & more', snippet: 'Some text' },
      ],
    });
  });

  it.each<[string, string, PageReading['kind']]>([
    ['says that there are none', '<p id="nothing">No results</p>', 'results'],
    [
      'has only advertisements',
      hit('https://ad.example/', 'ad') + '<p id="nothing"></p>',
      'results',
    ],
    ['has other blocks', hit('https://a.example/').replaceAll('hit', 'item'), 'drift'],
    ['has blocks without links', '<div class="hit"><h2>Title</h2></div>', 'drift'],
    ['has links to no web address', hit('mailto:a@b.example'), 'drift'],
    ['is a captcha', '<form id="captcha-form" action="/verify"><input></form>', 'wall'],
    ['is empty', '', 'drift'],
  ])('that %s is: %s', (_what, text, kind) => {
    expect(html(text).kind).toBe(kind);
  });

  it('is decoded by its charset', () => {
    const body = Buffer.from(hit('https://a.example/').replace('Title', 'Fenêtre'), 'latin1');
    const shape = parseHtmlSetting(JSON.stringify(HTML_SETTING)).shape;
    const reading = readSearchResults({
      body,
      contentType: 'text/html; charset=iso-8859-1',
      url: URL_OF_PAGE,
      shape: { kind: 'html', shape },
    });
    expect(reading).toMatchObject({ results: [{ title: 'Fenêtre & more' }] });
  });

  it.each(['html', 'json'])('that declares no encoding is detected: %s', (kind) => {
    const title = 'Городская библиотека';
    const shape =
      kind === 'html' ? parseHtmlSetting(JSON.stringify(HTML_SETTING)).shape : undefined;
    const text =
      kind === 'html'
        ? hit('https://a.example/').replace('Title', title)
        : JSON.stringify({ web: { results: [{ title, url: 'https://a.example/' }] } });
    const reading = readSearchResults({
      body: encodeText(text, 'windows-1251'),
      contentType: kind === 'html' ? 'text/html' : 'application/json',
      url: URL_OF_PAGE,
      shape: shape ? { kind: 'html', shape } : preset('brave'),
    });
    expect(reading).toMatchObject({ results: [{ title: expect.stringContaining(title) }] });
  });

  it('is bounded in its number of results', () => {
    const reading = html(
      Array.from({ length: 5_000 }, (_, at) => hit(`https://a.example/${at}`)).join(''),
    );
    expect(reading.kind === 'results' && reading.results.length).toBe(MAX_PAGE_RESULTS);
  });
});
