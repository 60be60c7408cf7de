import { html, type Html } from '../html/html.js';
import { markdownView, rawText } from '../html/markdown-view.js';
import type { Page } from '../html/page.js';
import { durationText } from '../html/time-text.js';
import { webLink } from '../html/web-link.js';
import type { DisplayedResult } from './stored-document.js';

/** One stored page result. */
export function resultPage(jobId: string, document: DisplayedResult): Page {
  return {
    title: document.title || 'Result',
    lead: webLink(document.url),
    section: 'jobs',
    back: { title: 'Results', path: `/dashboard/jobs/${jobId}/results` },
    content: documentView(document),
  };
}

function documentView(document: DisplayedResult): Html {
  const { statusCode, fetchedBy, latencyMs, partialReason, markdown, json } = document;
  return html`<dl class="facts">
      <div>
        <dt>Status</dt>
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
