import { html, type Html } from '../html/html.js';
import type { Page } from '../html/page.js';
import { durationText } from '../html/time-text.js';
import { webLink } from '../html/web-link.js';
import { readResult, type Fields } from '../results/read-result.js';
import { resultView } from '../results/result-view.js';

export interface PlacedResult {
  readonly jobId: string;
  /** From 1, in the order in which pages were scraped. */
  readonly resultNo: number;
  /** How many there are. */
  readonly results: number;
  readonly document: Fields;
}

/** One stored page of a job. */
export function resultPage({ jobId, resultNo, results, document }: PlacedResult): Page {
  const list = `/dashboard/jobs/${jobId}/results`;
  const shown = readResult(document);
  const { title, url, latencyMs, markdown } = shown;
  return {
    title: title || 'Result',
    lead: webLink(url),
    section: 'jobs',
    back: { title: 'Results', path: list },
    content: html`<nav class="pager" aria-label="Pages of the job">
        ${resultNo > 1 && step(`${list}/${resultNo - 1}`, 'prev', 'Previous page')}
        <span class="hint">${resultNo} of ${results}</span>
        ${resultNo < results && step(`${list}/${resultNo + 1}`, 'next', 'Next page')}
        ${markdown !== null && html`<a class="button" href="${list}/${resultNo}/markdown">Download .md</a>`}
      </nav>
      ${resultView(shown, [['Time', durationText(latencyMs)]])}`,
  };
}

const step = (path: string, rel: 'prev' | 'next', text: string): Html =>
  html`<a class="button" rel="${rel}" href="${path}">${text}</a>`;
