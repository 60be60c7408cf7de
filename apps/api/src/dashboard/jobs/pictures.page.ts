import { html } from '../html/html.js';
import type { Page } from '../html/page.js';
import { readResult, type Fields } from '../results/read-result.js';

export const SHOWN_PICTURES = 12;

export interface PicturesParts {
  readonly jobId: string;
  /** Results before the first of these. */
  readonly after: number;
  readonly documents: readonly Fields[];
  /** Cursor of the next ones; null: there are none. */
  readonly next: string | null;
}

/** How the pages of a job looked, as far as it took screenshots. */
export function picturesPage({ jobId, after, documents, next }: PicturesParts): Page {
  const path = `/dashboard/jobs/${jobId}`;
  const shown = documents.flatMap((document, at) => {
    const { title, url, picture } = readResult(document);
    return picture === null ? [] : [{ title, url, picture, resultNo: after + at + 1 }];
  });
  return {
    title: 'Pictures',
    section: 'jobs',
    back: { title: 'The job', path },
    content: html`${
      shown.length === 0
        ? html`<p class="empty">None of these pages has a picture.</p>`
        : html`<ul class="thumbnails">
            ${shown.map(
              ({ title, url, picture, resultNo }) =>
                html`<li>
                  <a href="${path}/results/${resultNo}">
                    <img
                      src="${picture.startsWith('data:') ? `${path}/results/${resultNo}/picture` : picture}"
                      alt=""
                      loading="lazy"
                      width="320"
                      height="200"
                    />
                    <span>${title || url}</span>
                  </a>
                </li>`,
            )}
          </ul>`
    }
    ${
      next !== null &&
      html`<nav class="pager" aria-label="Pages of pictures">
        <a class="button" rel="next" href="${path}/pictures?cursor=${next}">More</a>
      </nav>`
    }`,
  };
}
