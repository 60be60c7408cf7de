import { readDocument } from '../jobs/stored-document.js';
import { dataTable } from '../html/data-table.js';
import { html, type Html, type Piece } from '../html/html.js';
import { markdownView } from '../html/markdown-view.js';
import { problem } from '../html/notice.js';
import { durationText } from '../html/time-text.js';
import { webLink } from '../html/web-link.js';
import { isRecord } from '../http/one-time-notes.js';
import type { PlaygroundForm } from './playground.page.js';

/** The outcome of a scrape, apart from its attempts. */
export function scrapeAnswer(answer: PlaygroundAnswer): Piece {
  return answer.problem === null ? scrapedPage(answer) : scrapeProblem(answer);
}

/** The process ended, or the service failed. */
export function scrapeLost(): Html {
  return problem('The scrape was interrupted. Nothing was charged; send it again.');
}

function scrapedPage({ body, credits }: PlaygroundAnswer): Html {
  const document = readDocument(body);
  const facts = [
    { title: 'Answer', value: document.statusCode ?? '–' },
    { title: 'Fetched by', value: document.fetchedBy ?? '–' },
    { title: 'Time', value: durationText(document.latencyMs) },
    { title: 'Credits', value: credits },
    ...(document.partialReason === null
      ? []
      : [{ title: 'Incomplete', value: document.partialReason }]),
  ];
  return html`<div class="answer">
    <section aria-labelledby="answer-title">
      <h2 id="answer-title">${document.title || 'The page'}</h2>
      <p class="source">${webLink(document.url)}</p>
      ${
        document.markdown === null || document.markdown === ''
          ? html`<p class="empty">The page has no text.</p>`
          : markdownView(document.markdown)
      }
    </section>
    <aside aria-label="How it was fetched">
      <dl class="facts">
        ${facts.map(
          ({ title, value }) =>
            html`<div>
              <dt>${title}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      ${attemptsTable(attemptsIn(body))}
    </aside>
  </div>`;
}

/** A page that could not be fetched still shows its attempts. */
function scrapeProblem({ problem: text, hint, body }: PlaygroundAnswer): Piece {
  const attempts = attemptsIn(body);
  return html`${problem(html`${text} ${hint}`)} ${attempts.length > 0 && attemptsTable(attempts)}`;
}

function attemptsTable(attempts: readonly Attempt[]): Html {
  return html`<section aria-labelledby="attempts">
    <h2 id="attempts">What was tried</h2>
    ${dataTable({
      caption: 'Attempts of the cascade, in order',
      columns: [
        { title: 'Method', cell: ({ rung }) => rung },
        {
          title: 'Outcome',
          cell: ({ isOk, errorClass }) =>
            html`<span class="state" data-state="${isOk ? 'completed' : 'failed'}"
              >${isOk ? 'ok' : (errorClass ?? 'failed')}</span
            >`,
        },
        { title: 'Time', cell: ({ latencyMs }) => durationText(latencyMs), kind: 'number' },
      ],
      rows: attempts,
      empty: 'Nothing had to be fetched.',
    })}
  </section>`;
}

/** One attempt of the cascade, as in the response of POST /v1/scrape. */
interface Attempt {
  readonly rung: string;
  readonly isOk: boolean;
  readonly latencyMs: number | null;
  readonly errorClass: string | null;
}

interface WireAttempt {
  readonly rung?: unknown;
  readonly ok?: unknown;
  readonly latency_ms?: unknown;
  readonly error_class?: unknown;
}

/** The attempts in the body of a result or an error; empty if it has none. */
function attemptsIn(body: object): readonly Attempt[] {
  const { cascade } = body as { readonly cascade?: { readonly attempts?: unknown } };
  const attempts = cascade?.attempts;
  return Array.isArray(attempts) ? attempts.map((one) => readAttempt(one as WireAttempt)) : [];
}

function readAttempt({ rung, ok, latency_ms: ms, error_class: cause }: WireAttempt): Attempt {
  return {
    rung: String(rung),
    isOk: ok === true,
    latencyMs: typeof ms === 'number' ? ms : null,
    errorClass: typeof cause === 'string' ? cause : null,
  };
}

/** The outcome of a playground form. */
export interface PlaygroundAnswer {
  readonly form: PlaygroundForm;
  /** The status that POST /v1/scrape would return. */
  readonly status: number;
  /** The page, or the body of the error. */
  readonly body: object;
  /** Null: failed. */
  readonly credits: number | null;
  /** The error text. */
  readonly problem: string | null;
  /** How to fix it. */
  readonly hint: string | null;
}

/** Reads a stored response, possibly written by another version. */
export function answerIn(bytes: Buffer): PlaygroundAnswer {
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  const fields = isRecord(value) ? value : {};
  const form = isRecord(fields['form']) ? fields['form'] : {};
  const { status, body, credits } = fields;
  return {
    form: {
      url: textOf(form['url']) ?? '',
      onlyMainContent: form['onlyMainContent'] === true,
      forceHeadless: form['forceHeadless'] === true,
    },
    status: typeof status === 'number' ? status : 200,
    body: isRecord(body) ? body : {},
    credits: typeof credits === 'number' ? credits : null,
    problem: textOf(fields['problem']),
    hint: textOf(fields['hint']),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
