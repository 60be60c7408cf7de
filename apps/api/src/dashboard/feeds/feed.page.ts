import type { FeedNews } from '../../feeds/feeds.service.js';
import type { FeedRunView, FeedView } from '../../feeds/feeds.dto.js';
import type { FeedEventRow } from '../../feeds/feed-event.dto.js';
import { confirmation } from '../html/confirmation.js';
import { dataTable } from '../html/data-table.js';
import { definitions } from '../html/definitions.js';
import { html, type Html, type Piece } from '../html/html.js';
import { problem } from '../html/notice.js';
import { formToken, type Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { numberText, timeText } from '../html/time-text.js';
import type { SignedIn } from '../http/signed-in.js';
import { FEEDS } from './feed-list.page.js';
import { cellText, changesView, rowTitle } from './row-view.js';

const BACK = { title: 'Feeds and pulls', path: FEEDS };

export interface FeedPageParts {
  readonly session: SignedIn | undefined;
  readonly feed: FeedView;
  readonly runs: readonly FeedRunView[];
  readonly news: readonly FeedNews[];
  /** Title of the connector. */
  readonly title: string;
  readonly message: Piece;
}

/** A feed: what it watches, what was new, its runs and addresses. */
export function feedPage({ session, feed, runs, news, title, message }: FeedPageParts): Page {
  const { feedId, status, pausedReason, params, webhookUrl, running } = feed;
  return {
    title,
    section: 'feeds',
    back: BACK,
    content: html`${message} ${pausedReason !== null && problem(pausedReason)}
      <section class="panel job" aria-label="State">
        <p class="headline">${stateBadge(running ? 'running' : status)}</p>
        ${definitions('facts', [
          ...Object.entries(params).map(([name, value]) => [name, cellText(value)] as const),
          ['Schedule', html`<code>${feed.schedule}</code> ${feed.timeZone}`],
          ['Next run', timeText(feed.nextRunAt, 'none')],
          ['Last run', timeText(feed.lastRunAt, 'none')],
          ['Rows it knows', numberText(feed.total)],
          ['Changes', feed.changed ? 'delivered' : 'not delivered'],
          ['Webhook', webhookUrl],
        ])}
        <form class="actions" method="post">
          ${formToken(session)}
          <button class="primary" formaction="${FEEDS}/${feedId}/run">Run now</button>
          ${
            status === 'active'
              ? html`<button formaction="${FEEDS}/${feedId}/pause">Pause</button>`
              : html`<button formaction="${FEEDS}/${feedId}/resume">Resume</button>`
          }
          <a class="button quiet" href="${FEEDS}/${feedId}/delete">Delete</a>
        </form>
      </section>
      <section aria-labelledby="news">
        <h2 id="news">What was new</h2>
        ${newsView(news)}
      </section>
      <section aria-labelledby="runs">
        <h2 id="runs">Runs</h2>
        ${runTable(runs)}
      </section>
      ${addresses(session, feed)}`,
  };
}

/** Of one event. */
const SHOWN_ROWS = 20;

function newsView(news: readonly FeedNews[]): Html {
  if (news.length === 0)
    return html`<p class="empty">
      Nothing yet. The rows of a silent first run are known, not new.
    </p>`;
  return html`${news.map(
    ({ at, rows }) =>
      html`<h3>${timeText(at)}</h3>
        ${
          rows === null
            ? html`<p class="hint">Too much to be shown here: read the files of the feed.</p>`
            : html`<ul class="news">
                  ${rows.slice(0, SHOWN_ROWS).map((row) => html`<li>${newsRow(row)}</li>`)}
                </ul>
                ${rows.length > SHOWN_ROWS && html`<p class="hint">${rows.length - SHOWN_ROWS} more rows.</p>`}`
        }`,
  )}`;
}

function newsRow({ kind, row, changes }: FeedEventRow): Html {
  const fields = row as Readonly<Record<string, unknown>>;
  return html`<p><span class="tag">${kind}</span> ${rowTitle(fields)}</p>
    ${
      changes
        ? changesView(changes as Readonly<Record<string, unknown>>)
        : html`<details>
            <summary>All fields</summary>
            ${definitions(
              'pairs',
              Object.entries(fields).map(([name, value]) => [name, cellText(value)] as const),
            )}
          </details>`
    }`;
}

function runTable(runs: readonly FeedRunView[]): Html {
  return dataTable({
    caption: 'Runs, newest first',
    columns: [
      { title: 'Begun', cell: ({ startedAt }) => timeText(startedAt) },
      { title: 'By', cell: ({ startedBy }) => startedBy },
      {
        title: 'State',
        cell: ({ status, error }) =>
          html`${stateBadge(status)} ${error !== null && html`<span class="reason">${error}</span>`}`,
        kind: 'address',
      },
      { title: 'New', cell: ({ newRows }) => numberText(newRows), kind: 'number' },
      { title: 'Changed', cell: ({ changedRows }) => numberText(changedRows), kind: 'number' },
      { title: 'Known', cell: ({ knownRows }) => numberText(knownRows), kind: 'number' },
      { title: 'Credits', cell: ({ creditsUsed }) => numberText(creditsUsed), kind: 'number' },
    ],
    rows: runs,
    empty: 'None yet.',
  });
}

const FORMATS = [
  ['rss', 'RSS'],
  ['atom', 'Atom'],
  ['json', 'JSON Feed'],
] as const;

function addresses(session: SignedIn | undefined, feed: FeedView): Html {
  return html`<section aria-labelledby="addresses">
    <h2 id="addresses">Addresses for feed readers</h2>
    <form class="panel" method="post" action="${FEEDS}/${feed.feedId}/addresses">
      ${formToken(session)}
      ${FORMATS.map(
        ([format, title]) =>
          html`<p class="copyable">
            <span>${title}</span> <code data-copy>${feed.addresses[format]}</code>
          </p>`,
      )}
      <p class="hint">They need no key: who has one can read the feed.</p>
      <p class="actions"><button>Make new addresses</button></p>
    </form>
  </section>`;
}

export function deleteFeedPage(session: SignedIn | undefined, { feedId }: FeedView): Page {
  return {
    title: 'Delete the feed',
    section: 'feeds',
    back: { title: 'The feed', path: `${FEEDS}/${feedId}` },
    content: confirmation({
      session,
      action: `${FEEDS}/${feedId}/delete`,
      text: 'Its rows, its history and webhooks that were not delivered go with it. What its runs have cost stays charged.',
      button: 'Delete the feed',
      isDangerous: true,
      back: `${FEEDS}/${feedId}`,
    }),
  };
}
