import { dataTable } from '../html/data-table.js';
import { definitions, type Definition } from '../html/definitions.js';
import { html, type Html, type Piece } from '../html/html.js';
import { markdownTabs, rawText } from '../html/markdown-view.js';
import { renderMarkdown } from '../html/render-markdown.js';
import { MAX_TABS, tabs, type Tab } from '../html/tabs.js';
import { durationText, numberText } from '../html/time-text.js';
import { webLink } from '../html/web-link.js';
import { reasonText } from '../jobs/page-reason.js';
import type {
  ExtractedPart,
  Fields,
  ShownAttempt,
  ShownPassage,
  ShownResult,
} from './read-result.js';

/** More are in the JSON. */
const MAX_LINKS = 1_000;
const MAX_FIELD_CHARS = 5_000;
/** Rule of thumb for English text and HTML. */
const CHARS_PER_TOKEN = 4;

/**
 * A result in tabs, and beside it how it came about.
 * @param facts come first
 */
export function resultView(result: ShownResult, facts: readonly Definition[], head?: Piece): Html {
  return answerParts(html`${head} ${tabs('look', 'Show as', tabsOf(result))}`, {
    facts: [...facts, ...factsOf(result)],
    attempts: result.attempts,
  });
}

/** Content, and beside it facts and attempts. */
export function answerParts(
  content: Html,
  {
    facts,
    attempts,
  }: { readonly facts: readonly Definition[]; readonly attempts: readonly ShownAttempt[] | null },
): Html {
  return html`<div class="answer" data-answer>
    <section aria-label="Result">${content}</section>
    <aside aria-label="How it was answered">
      ${definitions('facts', facts)} ${attempts !== null && attemptsTable(attempts)}
    </aside>
  </div>`;
}

function factsOf({
  statusCode,
  fetchedBy,
  partialReason,
  ...texts
}: ShownResult): readonly Definition[] {
  return [
    ['Answer of the site', statusCode],
    ['Fetched by', fetchedBy],
    ['Tokens', tokensText(texts)],
    ['Incomplete', partialReason],
  ];
}

function tokensText({ markdown, source }: Pick<ShownResult, 'markdown' | 'source'>): Piece {
  if (markdown === null) return null;
  const [now, before] = [markdown, source ?? ''].map((text) => tokensOf(text)) as [number, number];
  const about = html`about ${numberText(now)}`;
  if (before <= now) return about;
  const saved = Math.round(100 * (1 - now / before));
  return html`${about}, ${saved} % less than the ${numberText(before)} of the HTML`;
}

const tokensOf = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

function tabsOf(result: ShownResult): readonly Tab[] {
  const { markdown, picture, extracted, passages, links, metadata, source, json } = result;
  const all: readonly (Tab | false)[] = [
    passages !== null && { title: 'Passages', content: passageList(passages) },
    ...(markdown === null ? [pictureTab(picture)] : markdownTabs(markdown, pictureOf(picture))),
    extracted.length > 0 && { title: 'Data', content: extracted.map(partView) },
    links !== null && { title: `Links (${numberText(links.length)})`, content: linkList(links) },
    Object.keys(metadata).length > 0 && { title: 'Metadata', content: fieldList(metadata) },
    source !== null && { title: 'HTML', content: rawText(source, 'The HTML') },
    { title: 'JSON', content: rawText(json, 'The result as JSON') },
  ];
  return all.filter((tab) => tab !== false).slice(0, MAX_TABS);
}

function pictureTab(picture: string | null): Tab | false {
  return picture !== null && { title: 'Picture', content: pictureOf(picture) };
}

const pictureOf = (picture: string | null): Html | undefined =>
  picture === null
    ? undefined
    : html`<figure
        class="looks"
        role="region"
        aria-label="How the page looked"
        tabindex="0"
        data-keeps-step
      >
        <img src="${picture}" alt="How the page looked" />
      </figure>`;

function passageList(passages: readonly ShownPassage[]): Html {
  if (passages.length === 0)
    return html`<p class="empty">The page has none of the words that you asked for.</p>`;
  return html`<ol class="passages">
    ${passages.map(
      ({ text, headings, url }) =>
        html`<li>
          <p class="hint">${headings.join(' › ')}</p>
          <blockquote class="reading">${renderMarkdown(text)}</blockquote>
          <p>${webLink(url, 'Open the page there')}</p>
        </li>`,
    )}
  </ol>`;
}

function partView({ title, value }: ExtractedPart): Html {
  return html`<section aria-label="${title}">
    <h3>${title}</h3>
    ${valueView(value)}
  </section>`;
}

function valueView(value: unknown): Html {
  if (typeof value === 'string') return html`<p>${value}</p>`;
  const isFields = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isFields
    ? fieldList(value as Fields)
    : rawText(JSON.stringify(value, null, 2), 'The data');
}

function fieldList(fields: Fields): Html {
  const rows = Object.entries(fields).map(([name, value]): Definition => [
    html`<code>${name}</code>`,
    fieldValue(value),
  ]);
  return definitions('pairs', rows);
}

function fieldValue(value: unknown): Piece {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const isText = typeof value === 'string';
  const text = isText ? value : JSON.stringify(value);
  if (text.length > MAX_FIELD_CHARS) return `${text.slice(0, MAX_FIELD_CHARS)}…`;
  return isText ? webLink(text) : html`<code>${text}</code>`;
}

function linkList(links: readonly string[]): Html {
  return html`<ul class="links">
      ${links.slice(0, MAX_LINKS).map((link) => html`<li>${webLink(link)}</li>`)}
    </ul>
    ${links.length > MAX_LINKS && html`<p class="cut">Shown up to here.</p>`}`;
}

function attemptsTable(attempts: readonly ShownAttempt[]): Html {
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
              >${isOk ? 'ok' : reasonText('failed', errorClass ?? 'unknown')}</span
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
