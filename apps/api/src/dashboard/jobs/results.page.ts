import { html, type Html } from '../html/html.js';
import { markdownView, rawText } from '../html/markdown-view.js';
import type { Page } from '../html/page.js';
import { durationText, numberText } from '../html/time-text.js';
import { webLink } from '../html/web-link.js';
import type { StoredDocument } from './stored-document.js';

export interface ResultsView {
  readonly jobId: string;
  /** Counted from 1, in the order pages were scraped. */
  readonly number: number;
  /** As many as there are now. */
  readonly total: number;
  /** Null: the job has none of that number, yet. */
  readonly document: StoredDocument | null;
}

/** The results of a job, one page of the web at a time. */
export function resultsPage(view: ResultsView): Page {
  const path = `/dashboard/jobs/${view.jobId}`;
  const { document, total, number } = view;
  return {
    title: document?.title || 'Results',
    ...(document ? { lead: webLink(document.url) } : {}),
    section: 'jobs',
    back: { title: 'The job', path },
    content: html`${pager(`${path}/results`, number, total)}
    ${document ? documentView(document) : html`<p class="empty">No page is stored under this number, yet.</p>`}`,
  };
}

function pager(path: string, number: number, total: number): Html | false {
  if (total === 0) return false;
  // Of an address written by hand.
  if (number > total) return html`<p><a href="${path}?n=${total}">To the last one</a></p>`;
  return html`<nav class="pager" aria-label="Pages of results">
    ${number > 1 && html`<a class="button" href="${path}?n=${number - 1}" rel="prev">Previous</a>`}
    <span>${numberText(number)} of ${numberText(total)}</span>
    ${number < total && html`<a class="button" href="${path}?n=${number + 1}" rel="next">Next</a>`}
  </nav>`;
}

function documentView(document: StoredDocument): Html {
  const { statusCode, fetchedBy, latencyMs, partialReason, markdown, json } = document;
  return html`<dl class="facts">
      <div>
        <dt>Answer</dt>
        <dd>${statusCode ?? '–'}</dd>
      </div>
      <div>
        <dt>Fetched by</dt>
        <dd>${fetchedBy ?? '–'}</dd>
      </div>
      <div>
        <dt>Time</dt>
        <dd>${durationText(latencyMs)}</dd>
      </div>
      ${
        partialReason !== null &&
        html`<div>
          <dt>Incomplete</dt>
          <dd>${partialReason}</dd>
        </div>`
      }
    </dl>
    ${markdown !== null && markdownView(markdown)}
    <details ${markdown === null && html`open`}>
      <summary>All fields</summary>
      ${rawText(json, 'The result as JSON')}
    </details>`;
}
