import { html, type Html, type Piece } from '../html/html.js';
import type { Page } from '../html/page.js';
import { numberText } from '../html/time-text.js';
import { MAX_PAGE_QUERY_CHARS } from '../../jobs/results/page-search.service.js';
import type { FoundPageView, PageSearchAnswer } from '../../jobs/results/page-search.dto.js';

/** Pages of a job that contain words. @param found null: nothing is searched for yet */
export function searchPage(jobId: string, found: PageSearchAnswer | null): Page {
  const path = `/dashboard/jobs/${jobId}`;
  return {
    title: 'Search the pages',
    section: 'jobs',
    back: { title: 'The job', path },
    content: html`${searchForm(jobId, found?.query ?? '')}
    ${foundPlace(found !== null && foundPages(path, found))}`,
  };
}

/** The matches; the script replaces them as one types. */
export const foundPlace = (pages: Piece): Html =>
  html`<div class="found" data-found role="status" aria-live="polite">${pages}</div>`;

export function searchForm(jobId: string, query = ''): Html {
  return html`<form
    class="panel inline"
    method="get"
    action="/dashboard/jobs/${jobId}/search"
    role="search"
    data-part="[data-found]"
  >
    <p class="field grows">
      <label for="words">Words in the text of the pages</label>
      <input
        id="words"
        name="q"
        type="search"
        value="${query}"
        maxlength="${MAX_PAGE_QUERY_CHARS}"
        autocomplete="off"
      />
    </p>
    <p class="actions"><button class="primary">Search</button></p>
  </form>`;
}

function foundPages(path: string, found: PageSearchAnswer): Html {
  const { query, total, totalIsExact, results, next } = found;
  const more = next === null ? null : new URLSearchParams({ q: query, cursor: next }).toString();
  return html`<p class="hint">
      ${totalIsExact ? '' : 'More than '}${numberText(total)} ${total === 1 ? 'page' : 'pages'}
    </p>
    <ul>
      ${results.map((one) => foundPage(path, one))}
    </ul>
    ${more !== null && html`<nav class="pager"><a class="button" rel="next" href="${path}/search?${more}">More</a></nav>`}`;
}

function foundPage(
  path: string,
  { url, title, resultNo, snippet, highlights }: FoundPageView,
): Html {
  return html`<li>
    <a href="${path}/results/${resultNo}">${title || url}</a>
    <p class="hint">${url}</p>
    <p>${marked(snippet, highlights)}</p>
  </li>`;
}

function marked(text: string, places: FoundPageView['highlights']): readonly Piece[] {
  let at = 0;
  const parts = places.map(([start, end]) => {
    const part = html`${text.slice(at, start)}<mark>${text.slice(start, end)}</mark>`;
    at = end;
    return part;
  });
  return [...parts, text.slice(at)];
}
