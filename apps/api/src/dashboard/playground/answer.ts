import type { Definition } from '../html/definitions.js';
import { html, type Html } from '../html/html.js';
import { rawText } from '../html/markdown-view.js';
import { problem } from '../html/notice.js';
import { durationText, numberText } from '../html/time-text.js';
import { webLink } from '../html/web-link.js';
import { previewView, watchAddress } from '../feeds/preview-view.js';
import { isRecord } from '../http/one-time-notes.js';
import { fieldNumber, fieldText, readResult, type Fields } from '../results/read-result.js';
import { answerParts, resultView } from '../results/result-view.js';

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
  const stored = isRecord(value) ? value : {};
  const { request, result } = stored;
  return {
    endpoint: fieldText(stored, 'endpoint') ?? '',
    request: isRecord(request) ? request : {},
    status: fieldNumber(stored, 'status') ?? 200,
    result,
    credits: fieldNumber(stored, 'credits'),
    ms: fieldNumber(stored, 'ms') ?? 0,
  };
}

const MISSING = {
  /** The process ended, or the service failed. */
  lost: 'The request was interrupted. Nothing was charged; send it again.',
  old: 'The response was kept for a day. This is the request: you can send it again.',
  large:
    'The response has more than 8 MB and is not shown here. Send the request by one of the commands.',
} as const;

export const answerMissing = (why: keyof typeof MISSING): Html => problem(MISSING[why]);

/** What watches the page of a request: the connector, its parameter, and the field that says what. */
const WATCHED: Readonly<Record<string, readonly [string, string, string]>> = {
  scrape: ['page_changes', 'urls', 'url'],
  map: ['sitemap_urls', 'url', 'url'],
  search: ['search_results', 'query', 'query'],
};

function watchLink({ endpoint, request }: PlaygroundAnswer): Html | null {
  const [connectorId, name, field] = WATCHED[endpoint] ?? [];
  const value = field === undefined ? null : fieldText(request, field);
  if (connectorId === undefined || name === undefined || value === null) return null;
  return html`<p>
    <a class="button" href="${watchAddress(connectorId, { [name]: value })}">Watch this</a>
  </p>`;
}

export function answerView(answer: PlaygroundAnswer): Html {
  const { status, ms, credits, result } = answer;
  const shown = readResult(result);
  const facts: readonly Definition[] = [
    ['Response', status],
    ['Time', durationText(ms)],
    ['Credits', numberText(credits ?? 0)],
  ];
  if (status >= 400)
    return answerParts(refusal(isRecord(result) ? result : {}, shown.json), {
      facts,
      attempts: shown.attempts,
    });
  const preview = previewView(result, facts);
  if (preview !== null) return preview;
  const { title, url } = shown;
  const head = html`<h2 id="answer-title">${title || 'Result'}</h2>
    ${url !== '' && html`<p class="source">${webLink(url)}</p>`} ${failures(result)}
    ${watchLink(answer)}`;
  return resultView(shown, facts, head);
}

const SHOWN_FAILURES = 5;

/** The pages of a request of several that failed, with the reason of each. */
function failures(result: unknown): Html | null {
  const all = isRecord(result) && Array.isArray(result['results']) ? result['results'] : [];
  const failed = all.filter(isRecord).filter(({ ok }) => ok === false);
  if (failed.length === 0) return null;
  const reasons = failed
    .slice(0, SHOWN_FAILURES)
    .map((one) => `${fieldText(one, 'url') ?? ''}: ${fieldText(one, 'error') ?? 'failed'}`);
  const more = failed.length > SHOWN_FAILURES ? [`${failed.length - SHOWN_FAILURES} more`] : [];
  return problem(
    html`${failed.length} of ${all.length} pages failed. ${[...reasons, ...more].join('; ')}.`,
  );
}

function refusal(result: Fields, json: string): Html {
  const error = fieldText(result, 'error') ?? 'The request failed.';
  return html`<h2 id="answer-title">Refused</h2>
    ${problem(html`${error} ${fieldText(result, 'hint')}`)} ${rawText(json, 'The result as JSON')}`;
}
