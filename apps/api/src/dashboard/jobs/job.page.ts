import { isTerminal, type JobStatus } from '@app/contracts';
import type { JobView } from '../../jobs/job.dto.js';
import { confirmation } from '../html/confirmation.js';
import { html, type Html, type Piece } from '../html/html.js';
import type { Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { numberText, timeText } from '../html/time-text.js';
import { webLink } from '../html/web-link.js';
import type { SignedIn } from '../http/signed-in.js';

const JOBS = { title: 'Jobs', path: '/dashboard/jobs' } as const;

const COUNTS = [
  { name: 'scraped', title: 'Scraped' },
  { name: 'pending', title: 'Waiting' },
  { name: 'leased', title: 'In work' },
  { name: 'failed', title: 'Failed' },
  { name: 'skipped', title: 'Skipped' },
  { name: 'cancelled', title: 'Cancelled' },
] as const;

export function hasEnded({ status }: Pick<JobView, 'status'>): boolean {
  return isTerminal(status as JobStatus);
}

export function jobPage(job: JobView, message: Piece): Page {
  const path = `/dashboard/jobs/${job.id}`;
  const isLive = !hasEnded(job);
  return {
    title: `${titled(job.type)} of ${hostOf(job.url)}`,
    section: 'jobs',
    back: JOBS,
    content: html`${message}
      <div class="job" ${isLive && html`data-live-job="${path}/events"`}>
        ${progress(job)} ${job.error !== null && html`<p class="problem">${job.error}</p>`}
        <p class="actions">
          <a class="button" href="${path}/results">Results</a>
          <a class="button" href="${path}/addresses">Every address</a>
          ${job.result_url !== null && html`<a class="button" href="${job.result_url}">Download</a>`}
          ${
            isLive &&
            html`<a class="button danger" href="${path}/cancel" data-while-live>Cancel the job</a>`
          }
        </p>
        <dl class="facts">
          <div>
            <dt>Start</dt>
            <dd>${webLink(job.url)}</dd>
          </div>
          <div>
            <dt>Id</dt>
            <dd><code>${job.id}</code></dd>
          </div>
          <div>
            <dt>Begun</dt>
            <dd>${timeText(job.created_at)}</dd>
          </div>
          <div>
            <dt>Ended</dt>
            <dd>${timeText(job.completed_at, 'not yet')}</dd>
          </div>
        </dl>
      </div>
      ${reasons(job)}
      ${
        job.discovery_capped &&
        html`<p class="hint">Links beyond the bound of one job were not recorded.</p>`
      }`,
  };
}

/** The bar is for the eye; what it shows stands in words beside it, and is read out as it changes. */
function progress(job: JobView): Html {
  const { pages } = job;
  const ended = pages.scraped + pages.failed + pages.skipped + pages.cancelled;
  return html`<section class="panel" aria-label="Progress">
    <p class="headline">
      <span data-job-state>${stateBadge(job.status)}</span>
      <span role="status" aria-live="polite"
        ><span data-count="ended">${numberText(ended)}</span> of
        <span data-count="discovered">${numberText(pages.discovered)}</span> addresses done</span
      >
    </p>
    <progress
      max="${Math.max(1, pages.discovered)}"
      value="${ended}"
      aria-label="Addresses done"
      data-progress
    ></progress>
    <dl class="figures">
      ${COUNTS.map(
        ({ name, title }) =>
          html`<div>
            <dt>${title}</dt>
            <dd data-count="${name}">${numberText(pages[name])}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function reasons({ id, skipped, failed }: JobView): Html | false {
  const rows = [
    ...Object.entries(failed).map(([reason, pages]) => ({ state: 'failed', reason, pages })),
    ...Object.entries(skipped).map(([reason, pages]) => ({ state: 'skipped', reason, pages })),
  ];
  if (rows.length === 0) return false;
  return html`<section aria-labelledby="reasons">
    <h2 id="reasons">Why pages are missing</h2>
    <ul class="reasons">
      ${rows.map(
        ({ state, reason, pages }) =>
          html`<li>
            <a href="/dashboard/jobs/${id}/addresses?${reasonQuery(state, reason)}"
              >${state}: ${reason}</a
            >
            <span class="number">${numberText(pages)}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

function reasonQuery(state: string, reason: string): string {
  return new URLSearchParams({ state, reason }).toString();
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
      text: html`No further page of <strong>${job.url}</strong> is fetched. The
        ${numberText(job.pages_scraped)} pages that are there stay.`,
      button: 'Cancel the job',
      isDangerous: true,
      back: path,
    }),
  };
}

export function titled(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
