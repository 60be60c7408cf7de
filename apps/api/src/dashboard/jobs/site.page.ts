import { PAGE_STATES } from '@app/contracts';
import type { SiteEntry, SiteLevel } from '@app/jobs';
import { dataTable } from '../html/data-table.js';
import { html, type Html, type Piece } from '../html/html.js';
import type { Page } from '../html/page.js';
import { durationText, numberText, titled } from '../html/time-text.js';

export interface ShownLevel extends SiteLevel {
  readonly jobId: string;
  /** What the addresses begin with; empty: all hosts. */
  readonly prefix: string;
}

/** One level of the addresses of a job. */
export function sitePage(level: ShownLevel): Page {
  return {
    title: 'The site as a tree',
    section: 'jobs',
    back: { title: 'The job', path: `/dashboard/jobs/${level.jobId}` },
    content: siteTree(level),
  };
}

/** Folders by size with the states of what lies in them; the page's script shows them anew while a job runs. */
export function siteTree(level: ShownLevel): Html {
  const { jobId, prefix, entries, isCut, isPart } = level;
  const path = `/dashboard/jobs/${jobId}`;
  return html`<section aria-labelledby="site" data-site="${siteLink(path, prefix)}">
    <h2 id="site">The site</h2>
    <nav aria-label="Place in the site">${crumbs(path, prefix)}</nav>
    ${dataTable<SiteEntry>({
      caption: 'Folders and pages, the largest first',
      columns: [
        { title: 'Name', cell: (entry) => nameOf(path, prefix, entry), kind: 'address' },
        ...(['scraped', 'failed', 'skipped'] as const).map((state) => ({
          title: titled(state),
          cell: ({ counts }: SiteEntry) => numberText(counts[state]),
          kind: 'number' as const,
        })),
        {
          title: 'Waiting',
          cell: ({ counts }) => numberText(counts.pending + counts.leased),
          kind: 'number',
        },
        {
          title: 'Time a page',
          cell: ({ latencyMs }) => durationText(latencyMs),
          kind: 'number',
        },
        { title: 'States', cell: shares },
      ],
      rows: entries,
      empty: 'No address begins like that.',
    })}
    ${isCut && html`<p class="hint">The ${numberText(entries.length)} largest are shown.</p>`}
    ${isPart && html`<p class="hint">Of the addresses that were found first; the job has more.</p>`}
  </section>`;
}

const siteLink = (path: string, prefix: string): string =>
  `${path}/site?${new URLSearchParams({ prefix }).toString()}`;

function nameOf(path: string, prefix: string, { name, hasMore, resultNo }: SiteEntry): Piece {
  if (hasMore) {
    const below = prefix === '' ? name : `${prefix}${name}/`;
    return html`<a href="${siteLink(path, below)}">${prefix === '' ? name : `${name}/`}</a>`;
  }
  const shown = name === '' ? '(this address)' : name;
  if (resultNo !== null) return html`<a href="${path}/results/${resultNo}">${shown}</a>`;
  const query = new URLSearchParams({ state: 'all', q: prefix + name }).toString();
  return html`<a href="${path}/results?${query}">${shown}</a>`;
}

/** Each folder above links to its own level. */
function crumbs(path: string, prefix: string): Html {
  const [origin = '', ...folders] = prefix === '' ? [] : partsOf(prefix);
  const steps = [
    { title: 'All hosts', prefix: '' },
    ...(origin === '' ? [] : [{ title: origin, prefix: origin }]),
    ...folders.map((name, at) => ({
      title: name,
      prefix: origin + folders.slice(0, at + 1).join(''),
    })),
  ];
  return html`<ol class="crumbs">
    ${steps.map(({ title, prefix: place }, at) =>
      at === steps.length - 1
        ? html`<li aria-current="page">${title}</li>`
        : html`<li><a href="${siteLink(path, place)}">${title}</a></li>`,
    )}
  </ol>`;
}

/** "http://a.example/b/c/": the origin and "b/", "c/". */
function partsOf(prefix: string): readonly string[] {
  const origin = URL.canParse(prefix) ? `${new URL(prefix).origin}/` : '';
  const folders = prefix.slice(origin.length).split('/').slice(0, -1);
  return [origin, ...folders.map((name) => `${name}/`)];
}

/** The share of each state as a bar; its numbers are in the row. */
function shares({ counts, total }: SiteEntry): Html {
  let at = 0;
  return html`<svg class="shares" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    ${PAGE_STATES.map((state) => {
      const width = (100 * counts[state]) / total;
      const bar = html`<rect
        data-state="${state}"
        x="${at.toFixed(2)}"
        width="${width.toFixed(2)}"
        height="6"
      />`;
      at += width;
      return width > 0 && bar;
    })}
  </svg>`;
}
