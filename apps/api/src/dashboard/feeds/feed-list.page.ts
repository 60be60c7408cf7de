import type { PullView } from '../../connectors/pull.dto.js';
import type { FeedView } from '../../feeds/feeds.dto.js';
import type { RegisteredConnector } from '@app/connectors';
import { dataTable } from '../html/data-table.js';
import { html, type Html, type Piece } from '../html/html.js';
import type { Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { numberText, timeText } from '../html/time-text.js';
import { connectorForm } from '../playground/endpoints.js';
import { PLAYGROUND } from '../playground/playground.page.js';

export const FEEDS = '/dashboard/feeds';
export const PULLS = '/dashboard/pulls';

export interface FeedListParts {
  readonly feeds: readonly FeedView[];
  readonly pulls: readonly PullView[];
  readonly connectors: readonly RegisteredConnector[];
}

/** What is watched, what was pulled, and what there is to watch and to pull. */
export function feedListPage({ feeds, pulls, connectors }: FeedListParts, message: Piece): Page {
  return {
    title: 'Feeds and pulls',
    lead: 'A connector is a source of rows. A feed watches it and delivers what is new; a pull reads its rows once.',
    section: 'feeds',
    content: html`${message}
      <section aria-labelledby="feeds">
        <h2 id="feeds">Feeds</h2>
        ${feedTable(feeds)}
      </section>
      <section aria-labelledby="pulls">
        <h2 id="pulls">Pulls</h2>
        ${pullTable(pulls)}
      </section>
      <section aria-labelledby="connectors">
        <h2 id="connectors">Connectors</h2>
        ${connectorTable(connectors)}
      </section>`,
  };
}

function feedTable(feeds: readonly FeedView[]): Html {
  return dataTable({
    caption: 'Feeds, newest first',
    columns: [
      {
        title: 'Connector',
        cell: ({ feedId, connectorId }) => html`<a href="${FEEDS}/${feedId}">${connectorId}</a>`,
      },
      { title: 'Watches', cell: ({ params }) => paramsText(params), kind: 'address' },
      { title: 'State', cell: ({ status }) => stateBadge(status) },
      { title: 'Rows', cell: ({ total }) => numberText(total), kind: 'number' },
      { title: 'Next run', cell: ({ nextRunAt }) => timeText(nextRunAt, 'none') },
      { title: 'Last run', cell: ({ lastRunAt }) => timeText(lastRunAt, 'none') },
    ],
    rows: feeds,
    empty: html`No feeds yet. <a href="#connectors">Watch a connector</a>`,
  });
}

function pullTable(pulls: readonly PullView[]): Html {
  return dataTable({
    caption: 'Pulls, newest first',
    columns: [
      {
        title: 'Connector',
        cell: ({ jobId, connectorId }) => html`<a href="${PULLS}/${jobId}">${connectorId}</a>`,
      },
      { title: 'Of', cell: ({ params }) => paramsText(params), kind: 'address' },
      { title: 'State', cell: ({ status }) => stateBadge(status) },
      { title: 'Rows', cell: ({ total }) => numberText(total), kind: 'number' },
      { title: 'Credits', cell: ({ creditsUsed }) => numberText(creditsUsed), kind: 'number' },
      { title: 'Begun', cell: ({ createdAt }) => timeText(createdAt) },
    ],
    rows: pulls,
    empty: html`No pulls yet. <a href="#connectors">Preview a connector</a>`,
  });
}

function connectorTable(connectors: readonly RegisteredConnector[]): Html {
  return dataTable({
    caption: 'Connectors',
    columns: [
      { title: 'Rows', cell: ({ connector }) => connector.title },
      { title: 'About', cell: ({ connector }) => connector.description, kind: 'address' },
      {
        title: 'Credits',
        cell: ({ price }) =>
          price.rows === 1 ? price.credits : `${price.credits} for ${numberText(price.rows)}`,
        kind: 'number',
      },
      {
        title: 'Actions',
        cell: ({ connector: { id, title } }) =>
          html`<a
              href="${PLAYGROUND}/${connectorForm(id, 'preview')}"
              aria-label="Preview: ${title}"
              >Preview</a
            >
            <a href="${PLAYGROUND}/${connectorForm(id, 'createFeed')}" aria-label="Watch: ${title}"
              >Watch</a
            >`,
      },
    ],
    rows: connectors,
    empty: 'This service has no connectors.',
  });
}

const MAX_PARAMS_CHARS = 120;

/** The values of parameters, in a line. */
export function paramsText(params: object): string {
  const text = Object.values(params).flat().map(String).join(', ');
  return text.length > MAX_PARAMS_CHARS ? `${text.slice(0, MAX_PARAMS_CHARS)}…` : text || '–';
}
