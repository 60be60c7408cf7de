import {
  collapse,
  matchAny,
  pageBase,
  parsePage,
  StepCounter,
  textOf,
  walk,
  type Match,
  type ParsedPage,
} from '@app/content';
import type { FoundPage } from '../search-task.js';
import { foundPage } from './found-page.js';
import { MAX_PAGE_RESULTS, type PageReading } from './page-reading.js';

type Element = Parameters<Match>[0];

/** Where a page of results has its parts, as CSS selectors. */
export interface HtmlShape {
  /** Block of one result. */
  readonly results: string;
  /** Link to the result, within its block. */
  readonly link: string;
  /** @default the text of the link */
  readonly title: string | null;
  readonly snippet: string | null;
  /** Shown when nothing was found. Without it and without blocks, the page has changed. */
  readonly none: string;
  /** Blocks that are advertisements. */
  readonly ads: string | null;
  /** Parts of the search engine that did not answer: they make an empty page incomplete. */
  readonly unresponsive: string | null;
  /** Query parameter that holds the result's address, where links lead through the search engine. */
  readonly linkParameter: string | null;
}

/** Text that a title or a snippet is read from. */
const MAX_PART_CHARS = 8_000;

/** Reads results of a page by its structure. Never throws on any page. @param url address of the page */
export function readHtmlResults(html: string, url: string, shape: HtmlShape): PageReading {
  const page = parsePage(html);
  const selectors = new ShapeSelectors(shape);
  try {
    return readPage(page, pageBase(page.described, url), selectors);
  } catch (error) {
    if (error instanceof Error && error.name === 'SelectorWorkError')
      return { kind: 'unreadable', problem: 'the page is too large for its selectors' };
    throw error;
  }
}

class ShapeSelectors {
  private readonly steps = new StepCounter();
  readonly block: Match;
  readonly link: Match;
  readonly title: Match;
  readonly snippet: Match;
  readonly none: Match;
  readonly ad: Match;
  readonly unresponsive: Match;
  readonly linkParameter: string | null;

  constructor(shape: HtmlShape) {
    const match = (selector: string | null): Match =>
      selector === null ? () => false : matchAny([selector], this.steps);
    this.block = match(shape.results);
    this.link = match(shape.link);
    this.title = match(shape.title);
    this.snippet = match(shape.snippet);
    this.none = match(shape.none);
    this.ad = match(shape.ads);
    this.unresponsive = match(shape.unresponsive);
    this.linkParameter = shape.linkParameter;
  }
}

function readPage({ document }: ParsedPage, base: string, selectors: ShapeSelectors): PageReading {
  const blocks: Element[] = [];
  let saysNone = false;
  let unresponsive = 0;
  walk(document, {
    text: () => undefined,
    enter: (element) => {
      if (selectors.none(element)) saysNone = true;
      if (selectors.unresponsive(element)) unresponsive++;
      if (!selectors.block(element)) return true;
      if (blocks.length < MAX_PAGE_RESULTS) blocks.push(element);
      return false;
    },
  });
  const organic = blocks.filter((block) => !selectors.ad(block));
  const results = organic
    .map((block) => readBlock(block, base, selectors))
    .filter((one): one is FoundPage => one !== null);
  if (results.length > 0) return { kind: 'results', results };
  if (organic.length > 0)
    return { kind: 'drift', problem: 'the page has result blocks, but none with a link' };
  if (unresponsive > 0)
    return { kind: 'incomplete', problem: 'nothing was found, and some engines did not answer' };
  if (saysNone) return { kind: 'results', results: [] };
  if (hasChallenge(document)) return { kind: 'wall', problem: 'the page is a captcha' };
  return {
    kind: 'drift',
    problem: 'the page has no result blocks, and does not say that nothing was found',
  };
}

const CHALLENGE = /captcha|challenge|turnstile/i;
const CHALLENGE_ATTRIBUTES = ['id', 'class', 'src', 'action', 'name'];
const MAX_ATTRIBUTE_CHARS = 300;

/** Whether a page without results is a test for people. */
export function hasChallenge(document: ParsedPage['document']): boolean {
  let isFound = false;
  walk(document, {
    text: () => undefined,
    enter: ({ attribs }) => {
      isFound ||= CHALLENGE_ATTRIBUTES.some((name) =>
        CHALLENGE.test((attribs[name] ?? '').slice(0, MAX_ATTRIBUTE_CHARS)),
      );
      return true;
    },
    isDone: () => isFound,
  });
  return isFound;
}

function readBlock(block: Element, base: string, selectors: ShapeSelectors): FoundPage | null {
  let link: Element | undefined;
  let title: Element | undefined;
  let snippet: Element | undefined;
  walk(block, {
    text: () => undefined,
    enter: (element) => {
      if (link === undefined && selectors.link(element)) link = element;
      if (title === undefined && selectors.title(element)) title = element;
      if (snippet === undefined && selectors.snippet(element)) snippet = element;
      return true;
    },
    isDone: () => link !== undefined && title !== undefined && snippet !== undefined,
  });
  if (link === undefined) return null;
  return foundPage({
    url: targetOf(link.attribs['href'], base, selectors.linkParameter),
    title: partText(title ?? link),
    snippet: snippet === undefined ? '' : partText(snippet),
    base,
  });
}

function partText(element: Element): string {
  return collapse(textOf(element, MAX_PART_CHARS));
}

/** The result's own address: links may lead through the search engine, which names it in a parameter. */
function targetOf(href: string | undefined, base: string, parameter: string | null): unknown {
  if (href === undefined || parameter === null) return href;
  return URL.parse(href, base)?.searchParams.get(parameter) ?? href;
}
