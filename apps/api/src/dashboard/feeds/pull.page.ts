import type { PullRowsPage, PullView } from '../../connectors/pull.dto.js';
import { definitions } from '../html/definitions.js';
import { html, type Piece } from '../html/html.js';
import { problem } from '../html/notice.js';
import { formToken, type Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { numberText, timeText } from '../html/time-text.js';
import type { SignedIn } from '../http/signed-in.js';
import type { Fields } from '../results/read-result.js';
import { FEEDS, PULLS } from './feed-list.page.js';
import { cellText, rowTable } from './row-view.js';

/** While it runs, the page is loaded anew. */
const LOOK_SECONDS = 5;

export interface PullPageParts {
  readonly session: SignedIn | undefined;
  readonly pull: PullView;
  readonly page: PullRowsPage;
  readonly columns: readonly string[];
  /** Title of the connector. */
  readonly title: string;
  readonly message: Piece;
}

/** A preview that can be pulled, or a pull with its rows. */
export function pullPage({ session, pull, page, columns, title, message }: PullPageParts): Page {
  const { jobId, status, params, error, completedAt } = pull;
  const isPreview = status === 'previewed';
  const isRunning = !isPreview && completedAt === null;
  const path = `${PULLS}/${jobId}`;
  return {
    title,
    section: 'feeds',
    back: { title: 'Feeds and pulls', path: FEEDS },
    ...(isRunning ? { goesOnTo: path, goesOnAfterSeconds: LOOK_SECONDS } : {}),
    content: html`${message} ${error !== null && problem(error)}
      <section class="panel job" aria-label="State">
        <p class="headline">${stateBadge(status)}</p>
        ${definitions('facts', [
          ...Object.entries(params).map(([name, value]) => [name, cellText(value)] as const),
          ['Rows', `${numberText(pull.total)} of at most ${numberText(pull.maxResults)}`],
          ['Credits', numberText(pull.creditsUsed)],
          ['Begun', timeText(pull.createdAt)],
          ['Ended', timeText(completedAt)],
          ['Kept until', timeText(pull.expiresAt)],
        ])}
        <form class="actions" method="post">
          ${formToken(session)}
          ${isPreview && html`<button class="primary" formaction="${path}/pull">Pull the rows</button>`}
          ${isRunning && html`<button formaction="${path}/cancel">Cancel</button>`}
          ${pull.total > 0 && html`<a class="button" href="${path}/rows.csv" download>Download CSV</a>`}
        </form>
      </section>
      ${
        !isPreview &&
        html`<section aria-labelledby="rows">
          <h2 id="rows">Rows</h2>
          ${rowTable('Rows', {
            rows: page.rows as readonly Fields[],
            columns,
            empty: isRunning ? 'None yet.' : 'The pull found none.',
          })}
          <nav class="pager" aria-label="Pages of rows">
            ${
              page.next !== null &&
              !isRunning &&
              html`<a class="button" rel="next" href="${path}?cursor=${page.next}">More</a>`
            }
          </nav>
        </section>`
      }`,
  };
}
