import { LinearPattern } from '@app/patterns';
import { mainOf } from '../../../content/src/main-content/fixtures/article-page.js';
import { fakeConnectorSources } from '../../test/fake-connector-sources.js';
import { checkOf } from '../port/connector-registry.js';
import type { ConnectorRow } from '../port/connector.js';
import { PAGE_CHANGES_CONNECTOR } from './page-changes-connector.js';
import { pageDiff } from './page-diff.js';

const PAGES = 200;
const NOUNS = ['harbour', 'library', 'orchard', 'station', 'market', 'theatre', 'bridge', 'museum'];

/** Numbers without a pattern that the rules could know, the same at every run. */
function numbers(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}

/** The page `no` as the fetch `time` finds it: its text is the same, everything around it differs. */
function pageOf(no: number, time: number, price = 20 + no): string {
  const next = numbers(no * 7 + time * 1_013);
  const token = (): string =>
    `${next().toString(16)}${next().toString(36)}${next().toString(16)}a1`;
  const day = 1 + (next() % 27);
  const place = NOUNS[no % NOUNS.length] ?? '';
  const text = Array.from(
    { length: 4 },
    (_, at) =>
      `<p>The ${place} number ${no} has a part ${at} which visitors of the town know well, and it costs more than the others since the works of the last summer ended there.</p>`,
  ).join(
    `<div class="ad-slot" id="ad-${next() % 9}">Buy ${token()} for ${next() % 99} euros today only</div>`,
  );
  return `<html><head><title>Page ${no}</title></head><body>
    <nav><a href="/?s=${token()}">Home</a></nav>
    <main><article><h1>The ${place} ${no}</h1>
    <p>Updated 2026-11-${String(day).padStart(2, '0')} at ${next() % 12}:${10 + (next() % 49)}, ${1 + (next() % 50)} minutes ago</p>
    ${text}
    <p>Entry costs $${price}.00 for one person, and children of the town pay nothing at all in this season.</p>
    <p>${next() % 90_000} views, Comments (${next() % 900})</p>
    <p>See the <a href="/p/${no}?session=${token()}">page of the ${place}</a> with the reference ${token()}</p>
    </article></main>
    <aside class="sponsored">Advertisement ${token()}</aside>
    <footer>Generated ${token()} on ${day} March 2026</footer></body></html>`;
}

describe('changes of pages', () => {
  const rowOf = async (html: string, params = PARAMS): Promise<ConnectorRow> => {
    const sources = {
      ...fakeConnectorSources(),
      fetchPage: (url: string, wanted?: { readonly excludeTags?: readonly string[] }) =>
        Promise.resolve({ url, html, markdown: mainOf(html, wanted?.excludeTags) }),
    };
    const signal = new AbortController().signal;
    const context = { maxRows: 10, signal, sources, addCost: () => undefined };
    for await (const row of PAGE_CHANGES_CONNECTOR.run(params, context)) return row;
    throw new Error('no row');
  };
  const PARAMS: Readonly<Record<string, unknown>> = { urls: ['https://a.example/'] };
  const changes = (before: ConnectorRow, after: ConnectorRow, params = PARAMS) =>
    PAGE_CHANGES_CONNECTOR.changesOf?.(before, after, params) ?? null;

  it('give no alarm on pages whose ads, dates, tokens and counters rotate', async () => {
    const alarms: unknown[] = [];
    for (let no = 0; no < PAGES; no++) {
      const [first, second] = [await rowOf(pageOf(no, 1)), await rowOf(pageOf(no, 2))];
      expect(first['markdown']).toContain('Entry costs');
      const found = changes(first, second);
      if (found !== null) alarms.push([no, found]);
    }
    expect(alarms).toEqual([]);
  });

  it('show a real change among them, as a unified diff', async () => {
    const missed: number[] = [];
    for (let no = 0; no < PAGES; no += 5) {
      const found = changes(await rowOf(pageOf(no, 1)), await rowOf(pageOf(no, 2, 500 + no)));
      const diff = String(found?.['diff']);
      const isShown =
        diff.includes(`-Entry costs $${20 + no}.00`) &&
        diff.includes(`+Entry costs $${500 + no}.00`);
      if (!isShown || found?.['changed_lines'] !== 2) missed.push(no);
    }
    expect(missed).toEqual([]);
  });

  it('are counted where the caller says so', () => {
    const rules = { ignorePatterns: [], ignoreNoise: true, threshold: 0 };
    const dated = ['Opens 3 March 2026', 'Opens 10 March 2026'] as const;
    expect(pageDiff(...dated, rules)).toBeNull();
    expect(pageDiff(...dated, { ...rules, ignoreNoise: false })?.changedLines).toBe(2);
    const ignorePatterns = [new LinearPattern('^Price')];
    expect(pageDiff('Price 1\nx', 'Price 2\nx', { ...rules, ignorePatterns })).toBeNull();
    // 2 of 20 lines differ: a tenth.
    const lines = Array.from({ length: 9 }, (_, at) => `line ${'abcdefghi'[at] ?? ''}`).join('\n');
    const texts = [`${lines}\nold`, `${lines}\nnew`] as const;
    expect(pageDiff(...texts, { ...rules, threshold: 0.1 })).toBeNull();
    expect(pageDiff(...texts, { ...rules, threshold: 0.09 })?.changedLines).toBe(2);
  });

  it('have no diff where the texts have little in common', () => {
    const text = (word: string): string =>
      Array.from({ length: 1_500 }, (_, at) => `${word} ${at}x`).join('\n');
    const rules = { ignorePatterns: [], ignoreNoise: true, threshold: 0 };
    expect(pageDiff(text('a'), text('b'), rules)).toEqual({ changedLines: 3_000, diff: null });
  });

  it.each<[string, Readonly<Record<string, unknown>>, RegExp | null]>([
    ['a selector that is none', { ignore_selectors: ['a['] }, /ignore_selectors/],
    ['a pattern that is none', { ignore_patterns: ['('] }, /ignore_patterns/],
    ['patterns with too many states', { ignore_patterns: ['(?:a{1,100}){1,3}'] }, /too complex/],
    ['simple ones', { ignore_selectors: ['.x'], ignore_patterns: ['^Page \\d+'] }, null],
  ])('check %s', (_name, params, problem) => {
    const found = PAGE_CHANGES_CONNECTOR.paramsProblem?.({ ...PARAMS, ...params }) ?? null;
    if (problem === null) expect(found).toBeNull();
    else expect(found).toMatch(problem);
    expect(checkOf(PAGE_CHANGES_CONNECTOR.params)({ ...PARAMS, ...params })).toBeNull();
  });
});
