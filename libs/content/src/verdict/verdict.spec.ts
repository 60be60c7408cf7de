import { extractPage } from '../extract-page.js';
import { OTHER_WALLS } from './fixtures/other-walls.js';
import { EMPTY_PAGES, SHELLS } from './fixtures/bare-pages.js';
import { ORDINARY_PAGES } from './fixtures/complete-pages.js';
import {
  FURTHER_SHELLS,
  LOADING_TEXTS,
  REPORTED_SHELLS,
  WHOLE_PAGES_WITH_GAPS,
} from './fixtures/pages-with-gaps.js';
import { SHELLS_BESIDE_TEXT } from './fixtures/shells-beside-text.js';
import { type PageFixture } from './fixtures/page-fixture.js';
import {
  NO_PLACEHOLDER_PAGES,
  PLACEHOLDER_PAGES,
  SIGN_UP_WALLS,
} from './fixtures/placeholder-pages.js';
import { PRODUCT_WALLS } from './fixtures/blocked-pages.js';
import { TRAP_PAGES } from './fixtures/trap-pages.js';
import { judgePage, type Verdict } from './judge-page.js';

const BESIDE_TEXT = [
  ...SHELLS_BESIDE_TEXT,
  ...REPORTED_SHELLS,
  ...FURTHER_SHELLS,
  ...LOADING_TEXTS,
];
const WALLS = [...PRODUCT_WALLS, ...OTHER_WALLS, ...SIGN_UP_WALLS];
const LACKING = [...WALLS, ...SHELLS, ...EMPTY_PAGES, ...BESIDE_TEXT, ...PLACEHOLDER_PAGES];
const COMPLETE = [
  ...ORDINARY_PAGES,
  ...TRAP_PAGES,
  ...WHOLE_PAGES_WITH_GAPS,
  ...NO_PLACEHOLDER_PAGES,
];

/** From bytes to verdict, as the cascade goes. */
function judge(fixture: PageFixture, isRendered = fixture.isRendered ?? false): Verdict {
  const {
    html,
    url = 'https://shop.example/page',
    contentType = 'text/html; charset=utf-8',
    statusCode = 200,
    headers = {},
  } = fixture;
  const body = Buffer.from(html);
  const { facts } = extractPage(
    { body, contentType, url },
    { markdown: false, links: false, rawHtml: false },
  );
  return judgePage({ statusCode, headers, url, facts, isRendered, bytes: body.length });
}

const named = (fixtures: readonly PageFixture[]): [string, PageFixture][] =>
  fixtures.map((fixture) => [`${fixture.kind}: ${fixture.name}`, fixture]);

describe('the verdict on a page', () => {
  it.each(named([...LACKING, ...COMPLETE]))('%s', (_, fixture) => {
    const verdict = judge(fixture);
    expect(verdict).toMatchObject({ kind: fixture.kind });
    if (fixture.signal !== undefined) expect(verdict.signals).toContain(fixture.signal);
  });

  it('misses none of the pages that lack something and none of the complete ones escalates', () => {
    const missed = LACKING.filter((fixture) => judge(fixture).kind === 'complete');
    const escalated = COMPLETE.filter((fixture) => judge(fixture).kind !== 'complete');
    expect({
      missed: missed.map(({ name }) => name),
      escalated: escalated.map(({ name }) => name),
    }).toEqual({ missed: [], escalated: [] });
    expect(LACKING.length).toBeGreaterThanOrEqual(150);
    expect(SHELLS_BESIDE_TEXT.length).toBeGreaterThanOrEqual(40);
    expect(COMPLETE.length).toBeGreaterThanOrEqual(75);
  });

  it('a complete page is no less complete for having been rendered', () => {
    const spoilt = COMPLETE.filter((fixture) => judge(fixture, true).kind !== 'complete');
    expect(spoilt.map(({ name }) => name)).toEqual([]);
  });

  it('a wall is a wall whether rendered or not', () => {
    const passed = WALLS.filter((fixture) => judge(fixture, true).kind !== 'blocked');
    expect(passed.map(({ name }) => name)).toEqual([]);
  });

  it('names the status beside its signals', () => {
    const wall = PRODUCT_WALLS.find(({ statusCode }) => statusCode === 403);
    expect(wall && judge(wall).signals).toContain('status_403');
  });

  it('an article that quotes the text of a wall keeps its verdict', () => {
    const words = LACKING.map(({ html }) => html.replace(/<[^<>]*>/g, ' ')).join(' ');
    const html = `<html><body><article><p>${words.replaceAll('<', ' ')}</p></article></body></html>`;
    expect(judge({ name: 'quotes', kind: 'complete', html })).toEqual({
      kind: 'complete',
      signals: [],
    });
  });
});
