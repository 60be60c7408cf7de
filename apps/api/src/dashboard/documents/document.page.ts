import { html, type Html, type Piece } from '../html/html.js';
import { problem } from '../html/notice.js';
import type { Page } from '../html/page.js';
import type { DocumentGroup } from '../../public/document-set.js';
import { headingId, type RenderedDocument } from './render-document.js';
import { MAX_DOCUMENT_QUERY_CHARS, type FoundSection } from './search-documents.js';

/** A page of the documents and of the reference: its title, address and what it is about. */
export interface Listed {
  readonly title: string;
  readonly path: string;
  readonly about: string;
}

export interface ListedGroup {
  readonly title: string;
  readonly pages: readonly Listed[];
}

/** The documents of a group at their addresses. */
export function listedIn({ title, documents }: DocumentGroup): ListedGroup {
  const pages = documents.map(({ name, title: own, about }) => ({
    title: own,
    path: `/docs/${name}`,
    about,
  }));
  return { title, pages };
}

/** All documents by group, with the address of this service. */
export function contentsPage(groups: readonly ListedGroup[], address: string): Page {
  return {
    title: 'Documentation',
    section: null,
    menu: menuOf(groups, '/docs'),
    lead: html`The address of this service is <code>${address}</code>. Each document is Markdown,
      too: add <code>.md</code> to its address.`,
    content: html`${searchForm()} ${searchPlace()}
    ${groups.map(
      ({ title, pages }) =>
        html`<section aria-labelledby="${headingId(title)}">
          <h2 id="${headingId(title)}">${title}</h2>
          <ul class="contents">
            ${pages.map(({ title: own, path, about }) => html`<li><a href="${path}">${own}</a> ${about}</li>`)}
          </ul>
        </section>`,
    )}`,
  };
}

/** A document, what it contains, and its neighbours. */
export function documentPage(
  groups: readonly ListedGroup[],
  { path, title }: Pick<Listed, 'path' | 'title'>,
  { content, headings }: RenderedDocument,
): Page {
  const shown = headings.filter(({ level }) => level <= 3);
  return {
    title,
    section: null,
    menu: menuOf(groups, path),
    content: html`<div class="document">
      <article class="reading plain">${content}</article>
      ${
        shown.length > 1 &&
        html`<nav class="onpage" aria-label="On this page">
          <p>On this page</p>
          <ul>
            ${shown.map(
              ({ level, text, id }) =>
                html`<li class="${level > 2 && 'deep'}"><a href="#${id}">${text}</a></li>`,
            )}
          </ul>
        </nav>`
      }
      ${neighbours(groups, path)}
    </div>`,
  };
}

/** @param found null: there are too many searches */
export function documentSearchPage(
  groups: readonly ListedGroup[],
  query: string,
  found: readonly FoundSection[] | null,
): Page {
  const busy = 'Too many people search at this moment. Try again in a second.';
  return {
    title: 'Search the documentation',
    section: null,
    menu: menuOf(groups, '/docs?'),
    back: { title: 'Documentation', path: '/docs' },
    ...(found === null ? { status: 503 } : {}),
    content: html`${searchForm(query)}
    ${searchPlace(found === null ? problem(busy) : query !== '' && foundSections(query, found))}`,
  };
}

function searchForm(query = ''): Html {
  return html`<form
    class="inline"
    method="get"
    action="/docs"
    role="search"
    data-part="[data-found]"
  >
    <p class="field grows">
      <label for="words">Search</label>
      <input
        id="words"
        name="q"
        type="search"
        value="${query}"
        maxlength="${MAX_DOCUMENT_QUERY_CHARS}"
        autocomplete="off"
      />
    </p>
    <p class="actions"><button>Search</button></p>
  </form>`;
}

const searchPlace = (found?: Piece): Html =>
  html`<div class="found" data-found role="status" aria-live="polite">${found}</div>`;

function foundSections(query: string, found: readonly FoundSection[]): Html {
  if (found.length === 0) return html`<p class="empty">Nothing about “${query}”.</p>`;
  return html`<ul>
    ${found.map(
      ({ path, document, heading, snippet, words }) =>
        html`<li>
          <a href="${path}">${heading}</a>
          ${heading !== document && html`<span class="hint">${document}</span>`}
          <p>${marked(snippet, words)}</p>
        </li>`,
    )}
  </ul>`;
}

/** The words in a text; each match is followed in one pass. */
function marked(text: string, words: readonly string[]): readonly Piece[] {
  const alternatives = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => RegExp.escape(word));
  if (alternatives.length === 0) return [text];
  return text
    .split(new RegExp(`(${alternatives.join('|')})`, 'i'))
    .map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part));
}

/** Groups that are unfolded although they do not hold the page. */
const UNFOLDED = 2;

function menuOf(groups: readonly ListedGroup[], current: string): Html {
  return html`<nav aria-label="Documentation" class="documents">
    <ul>
      <li><a href="/dashboard">Your account</a></li>
      <li><a href="/docs" ${here('/docs', current)}>All documents</a></li>
    </ul>
    ${groups.map(
      ({ title, pages }, at) =>
        html`<details ${(at < UNFOLDED || pages.some(({ path }) => path === current)) && 'open'}>
          <summary>${title}</summary>
          <ul>
            ${pages.map(
              ({ title: own, path }) =>
                html`<li><a href="${path}" ${here(path, current)}>${own}</a></li>`,
            )}
          </ul>
        </details>`,
    )}
  </nav>`;
}

const here = (path: string, current: string): Piece =>
  path === current && html`aria-current="page"`;

function neighbours(groups: readonly ListedGroup[], path: string): Html {
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.findIndex((page) => page.path === path);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  return html`<nav class="pager" aria-label="Neighbours">
    ${before && html`<a class="button" rel="prev" href="${before.path}">← ${before.title}</a>`}
    ${after && html`<a class="button" rel="next" href="${after.path}">${after.title} →</a>`}
  </nav>`;
}
