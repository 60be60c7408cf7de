import type { JobView } from '../../jobs/job.dto.js';
import type { ViewedJob } from '../../jobs/jobs.service.js';
import { confirmation } from '../html/confirmation.js';
import { definitions } from '../html/definitions.js';
import { html, type Html, type Piece } from '../html/html.js';
import type { Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { numberText, timeText, titled } from '../html/time-text.js';
import { webLink } from '../html/web-link.js';
import type { SignedIn } from '../http/signed-in.js';
import { EXPORTS } from './export.routes.js';
import { siteTree, type ShownLevel } from './site.page.js';
import { foundPlace, searchForm } from './search.page.js';
import { liveJob, type LiveJob } from './live-job.js';

const JOBS = { title: 'Jobs', path: '/dashboard/jobs' } as const;

const COUNTS = [
  { name: 'discovered', title: 'Found' },
  { name: 'scraped', title: 'Scraped' },
  { name: 'pending', title: 'Waiting' },
  { name: 'leased', title: 'In work' },
  { name: 'failed', title: 'Failed' },
  { name: 'skipped', title: 'Skipped' },
  { name: 'cancelled', title: 'Cancelled' },
] as const;

/** @param level of its site, if it has one */
export function jobPage(
  { view: job, limit, isIndexed, hasPictures }: ViewedJob,
  level: ShownLevel | null | undefined,
  message: Piece,
): Page {
  const path = `/dashboard/jobs/${job.id}`;
  const live = liveJob(job, limit);
  return {
    title: `${titled(job.type)} of ${displayHost(job.url)}`,
    section: 'jobs',
    back: JOBS,
    content: html`${message}
      <div class="job" ${!live.isEnded && html`data-live-job="${path}/events"`}>
        ${progress(live)}
        <p class="problem" role="alert" data-error ${live.error === null && html`hidden`}>
          ${live.error}
        </p>
        ${actions(path, { type: job.type, hasPictures }, live)}
        ${isIndexed && html`${searchForm(job.id)} ${foundPlace(null)}`} ${facts(job, live)}
        ${reasons(live)} ${level && siteTree(level)}
        <p class="hint" data-capped ${!live.isCapped && html`hidden`}>
          The job reached its maximum number of recorded URLs; further links were not recorded.
        </p>
      </div>`,
  };
}

function actions(
  path: string,
  { type, hasPictures }: { readonly type: string; readonly hasPictures: boolean },
  { download, isEnded }: LiveJob,
): Html {
  return html`<div class="actions">
    <a class="button" href="${path}/results">Results</a>
    <a class="button" href="${path}/results?state=all">Every address</a>
    ${hasPictures && html`<a class="button" href="${path}/pictures">Pictures</a>`}
    <a class="button" data-download ${download === null ? html`hidden` : html`href="${download}"`}
      >Download</a
    >
    ${exportLinks(path, type)}
    ${
      !isEnded &&
      html`<a class="button danger" href="${path}/cancel" data-while-live>Cancel the job</a>`
    }
  </div>`;
}

/** Of a job that fetched its pages, also as a web archive. */
function exportLinks(path: string, type: string): Html {
  const forms = [...EXPORTS].filter(([form]) => form !== 'warc' || type !== 'extract');
  return html`<details class="menu">
    <summary class="button">Download as</summary>
    <ul>
      ${forms.map(([form, { title }]) => html`<li><a href="${path}/export/${form}">${title}</a></li>`)}
    </ul>
  </details>`;
}

function facts(job: JobView, { endedAt }: LiveJob): Html {
  const ended = timeText(endedAt?.iso ?? null, 'not yet');
  return definitions('facts', [
    ['Start', webLink(job.url)],
    ['Id', html`<code>${job.id}</code>`],
    ['Started', timeText(job.created_at)],
    ['Ended', html`<span data-ended>${ended}</span>`],
  ]);
}

/** The text beside the bar has the same information, and is announced when it changes. */
function progress({ state, progress: { done, total, text }, counts }: LiveJob): Html {
  return html`<section class="panel" aria-label="Progress">
    <p class="headline">
      <span data-job-state>${stateBadge(state)}</span>
      <span role="status" aria-live="polite" data-progress-text>${text}</span>
    </p>
    <progress max="${total}" value="${done}" aria-label="Pages done" data-progress></progress>
    ${definitions(
      'figures',
      COUNTS.map(({ name, title }) => [
        title,
        html`<span data-count="${name}">${numberText(counts[name])}</span>`,
      ]),
    )}
  </section>`;
}

function reasons({ reasons: rows }: LiveJob): Html {
  return html`<section aria-labelledby="reasons" data-missing ${rows.length === 0 && html`hidden`}>
    <h2 id="reasons">Why pages are missing</h2>
    <ul class="reasons" data-reasons>
      ${rows.map(
        ({ title, href, pages }) =>
          html`<li>
            <a href="${href}">${title}</a> <span class="number">${numberText(pages)}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

export function cancelPage(session: SignedIn | undefined, job: JobView): Page {
  const path = `/dashboard/jobs/${job.id}`;
  return {
    title: 'Cancel a job',
    section: 'jobs',
    back: { title: 'The job', path },
    content: confirmation({
      session,
      action: `${path}/cancel`,
      text: html`No further pages of <strong>${job.url}</strong> will be fetched. The
        ${numberText(job.pages_scraped)} pages scraped so far are kept.`,
      button: 'Cancel the job',
      isDangerous: true,
      back: path,
    }),
  };
}

export function displayHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
