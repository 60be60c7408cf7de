import type { ShownError } from '../http/page-error.js';
import { html } from './html.js';
import { problem } from './notice.js';
import type { Page } from './page.js';

/** @param requestId of the log entry with the details */
export function errorPage({ status, text, isFault }: ShownError, requestId: string): Page {
  return {
    title: status === 404 ? 'Not found' : 'This did not work',
    section: null,
    status,
    content: html`${problem(text)}
      ${isFault && html`<p class="hint">Named in the log as <code>${requestId}</code>.</p>`}
      <p><a href="/dashboard">Back to the overview</a></p>`,
  };
}
