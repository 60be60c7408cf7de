import { dataTable } from '../html/data-table.js';
import { html, type Html, type Piece } from '../html/html.js';
import { markdownView, rawText } from '../html/markdown-view.js';
import { problem } from '../html/notice.js';
import { tabs } from '../html/tabs.js';
import { durationText, numberText } from '../html/time-text.js';
import { webLink } from '../html/web-link.js';
import { isRecord } from '../http/one-time-notes.js';
import { readDocument } from '../jobs/stored-document.js';

type Fields = Readonly<Record<string, unknown>>;

/** The outcome of a request of the playground. */
export interface PlaygroundAnswer {
  readonly endpoint: string;
  readonly request: Fields;
  readonly status: number;
  /** The JSON of the response. */
  readonly result: unknown;
  /** Null: nothing was charged. */
  readonly credits: number | null;
  readonly ms: number;
}

/** As it is stored: a response is not read for it. */
export function answerBytes(facts: Omit<PlaygroundAnswer, 'result'>, json: string | null): Buffer {
  return Buffer.from(`${JSON.stringify(facts).slice(0, -1)},"result":${json ?? 'null'}}`);
}

/** Reads a stored answer, possibly written by another version. */
export function answerIn(bytes: Buffer): PlaygroundAnswer {
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  const { endpoint, request, status, result, credits, ms } = isRecord(value) ? value : {};
  return {
    endpoint: typeof endpoint === 'string' ? endpoint : '',
    request: isRecord(request) ? request : {},
    status: numberIn(status) ?? 200,
    result,
    credits: numberIn(credits) ?? null,
    ms: numberIn(ms) ?? 0,
  };
}

const MISSING = {
  /** The process ended, or the service failed. */
  lost: 'The request was interrupted. Nothing was charged; send it again.',
  large:
    'The response has more than 8 MB and is not shown here. Send the request by one of the commands.',
} as const;

export const answerMissing = (why: keyof typeof MISSING): Html => problem(MISSING[why]);

export function answerView(answer: PlaygroundAnswer): Html {
  const result = isRecord(answer.result) ? answer.result : {};
  const attempts = attemptsIn(result);
  const isRefused = answer.status >= 400;
  return html`<div class="answer" data-answer>
    <section aria-labelledby="answer-title">
      ${isRefused ? refusal(result) : content(result)}
    </section>
    <aside aria-label="How it was answered">
      <dl class="facts">
        ${factsOf(answer, result).map(
          ([title, value]) =>
            html`<div>
              <dt>${title}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      ${(attempts.length > 0 || 'cascade' in result) && attemptsTable(attempts)}
    </aside>
  </div>`;
}

function refusal(result: Fields): Html {
  const { error, hint } = result;
  return html`<h2 id="answer-title">Refused</h2>
    ${problem(html`${textIn(error) ?? 'The request failed.'} ${textIn(hint)}`)} ${jsonView(result)}`;
}

function content(result: Fields): Html {
  const { title, url, markdown } = readDocument(result);
  const picture = textIn(result['imageUrl']);
  const json = { title: 'JSON', content: jsonView(result) };
  const head = html`<h2 id="answer-title">${title || 'Result'}</h2>
    ${url !== '' && html`<p class="source">${webLink(url)}</p>`}`;
  if (picture !== null)
    return html`${head}
    ${tabs('look', 'Show as', [
      {
        title: 'Picture',
        content: html`<img class="picture" src="${picture}" alt="The page" />`,
      },
      json,
    ])}`;
  if (markdown === null) return html`${head} ${jsonView(result)}`;
  return html`${head}
  ${markdown === '' ? html`<p class="empty">The page has no text.</p>` : markdownView(markdown, [json])}`;
}

const jsonView = (result: Fields): Html =>
  rawText(JSON.stringify(result, null, 2), 'The response as JSON');

function factsOf(
  { status, credits, ms }: PlaygroundAnswer,
  result: Fields,
): readonly (readonly [string, Piece])[] {
  const { statusCode, fetchedBy, partialReason } = readDocument(result);
  const facts: readonly (readonly [string, Piece])[] = [
    ['Response', status],
    ['Time', durationText(ms)],
    ['Credits', numberText(credits ?? 0)],
    ['Answer of the site', statusCode],
    ['Fetched by', fetchedBy],
    ['Incomplete', partialReason],
  ];
  return facts.filter(([, value]) => value !== null);
}

function attemptsTable(attempts: readonly Attempt[]): Html {
  const total = attempts.reduce((sum, { latencyMs }) => sum + (latencyMs ?? 0), 0);
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
        {
          title: 'Time',
          cell: ({ latencyMs, startMs }) =>
            html`${durationText(latencyMs)} ${span(startMs, latencyMs ?? 0, total)}`,
          kind: 'number',
        },
      ],
      rows: attempts,
      empty: 'Nothing had to be fetched.',
    })}
  </section>`;
}

/** When an attempt ran, within all of them. */
function span(startMs: number, ms: number, totalMs: number): Html {
  const part = (value: number): string =>
    totalMs === 0 ? '0' : ((100 * value) / totalMs).toFixed(1);
  return html`<svg class="span" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect class="bar" x="${part(startMs)}" width="${part(ms)}" height="4" />
  </svg>`;
}

/** One attempt of the cascade, as in the response of POST /v1/scrape. */
interface Attempt {
  readonly rung: string;
  readonly isOk: boolean;
  readonly latencyMs: number | null;
  /** After the first one began. */
  readonly startMs: number;
  readonly errorClass: string | null;
}

/** The attempts in the body of a result or an error; empty if it has none. */
function attemptsIn({ cascade }: Fields): readonly Attempt[] {
  const attempts = isRecord(cascade) ? cascade['attempts'] : undefined;
  if (!Array.isArray(attempts)) return [];
  let startMs = 0;
  return attempts.filter(isRecord).map(({ rung, ok, latency_ms: ms, error_class: cause }) => {
    const latencyMs = numberIn(ms) ?? null;
    const attempt = {
      ...{ rung: String(rung), isOk: ok === true, latencyMs, startMs },
      errorClass: textIn(cause),
    };
    startMs += latencyMs ?? 0;
    return attempt;
  });
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;
