import { MAX_REQUEST_URL_CHARS } from '../../http/fields.js';
import { html, type Html, type Piece } from '../html/html.js';
import { formToken, type Page } from '../html/page.js';
import { tabs } from '../html/tabs.js';
import { titled } from '../html/time-text.js';
import type { SignedIn } from '../http/signed-in.js';
import { costText, type Endpoint } from './endpoints.js';
import { codeOf } from './request-code.js';
import type { FieldProblem, FilledRequest } from './read-form.js';
import { PARAMS, type FormField } from './request-form.js';

export const PLAYGROUND = '/dashboard/playground';
const POLL_SECONDS = 2;

type Body = Readonly<Record<string, unknown>>;

export interface PlaygroundParts {
  readonly session: SignedIn | undefined;
  readonly endpoints: readonly Endpoint[];
  readonly endpoint: Endpoint;
  readonly publicUrl: string;
  /** What the form shows. */
  readonly body: Body;
  /** Id of this rendering of the form: sent twice, it runs once. */
  readonly formId: string;
  /** By the name of the field. */
  readonly problems?: FilledRequest['problems'];
  /** The result; empty before a request was sent. */
  readonly answer?: Piece;
}

export function playgroundPage(parts: PlaygroundParts): Page {
  const { session, endpoints, endpoint, formId, answer } = parts;
  const { id, operation } = endpoint;
  return {
    title: 'Playground',
    lead: html`Real requests with your account: charged and limited like any other.
      <a href="/dashboard/requests?of=playground">Those that you sent</a>`,
    section: 'playground',
    ...(parts.problems === undefined ? {} : { status: 400 }),
    content: html`<nav class="choices" aria-label="Endpoints">
        <ul>
          ${endpoints
            .filter(({ connector }) => connector === endpoint.connector)
            .map(
              (one) =>
                html`<li>
                  <a href="${PLAYGROUND}/${one.id}" ${one.id === id && html`aria-current="page"`}
                    >${one.title}</a
                  >
                </li>`,
            )}
        </ul>
      </nav>
      <div class="request">
        <form
          class="panel"
          method="post"
          action="${PLAYGROUND}/${id}"
          data-waits
          data-code="${PLAYGROUND}/${id}/code"
        >
          <h2>
            ${endpoint.connector === undefined ? operation.summary : endpoint.title}
            <code>${operation.method} ${operation.path}</code>
          </h2>
          ${formToken(session)}
          <input type="hidden" name="form_id" value="${formId}" autocomplete="off" />
          ${fieldsOf(parts)}
          <p class="actions"><button class="primary">Send</button></p>
          <p class="live" role="status" aria-live="polite" data-announce></p>
        </form>
        ${requestCode(parts)}
      </div>
      ${answer}`,
  };
}

/** A request that was sent again before the first response. */
export function runningPage(path: string): Page {
  return {
    title: 'Playground',
    lead: 'The request is still running.',
    section: 'playground',
    goesOnTo: path,
    goesOnAfterSeconds: POLL_SECONDS,
    content: html`<p><a class="button" href="${path}">Look again</a></p>`,
  };
}

/** The request as code, and what it costs; the page's script asks for it anew when the form changes. */
export function requestCode({
  endpoint,
  body,
  publicUrl,
}: Pick<PlaygroundParts, 'endpoint' | 'body' | 'publicUrl'>): Html {
  const all = codeOf(endpoint.operation, body, publicUrl);
  return html`<section class="panel" aria-labelledby="code-title" data-request-code>
    <h2 id="code-title">The same as code</h2>
    ${tabs(
      'code',
      'Language',
      all.map(({ title, text, leftOut }) => ({
        title,
        content: html`<pre
            role="region"
            aria-label="${title}"
            tabindex="0"
          ><code data-copy>${text}</code></pre>
          ${
            leftOut.length > 0 &&
            html`<p class="hint">Not among its options: ${leftOut.join(', ')}.</p>`
          }`,
      })),
    )}
    <p class="hint">${withCode(costText(endpoint, body))}</p>
  </section>`;
}

const NO_PROBLEMS: FilledRequest['problems'] = new Map();

function fieldsOf({ endpoint, body, problems = NO_PROBLEMS }: PlaygroundParts): Html {
  const { fields, short } = endpoint;
  const shown = short.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const folded = fields.filter((field) => !shown.includes(field));
  const control = (field: FormField): Html =>
    fieldControl(field, valueAt(body, field.name), problems.get(field.name));
  // What was filled in stays in sight.
  const isOpen = folded.some(({ name }) => valueAt(body, name) !== undefined || problems.has(name));
  return html`${shown.map(control)}
  ${
    folded.length > 0 &&
    html`<details ${isOpen && html`open`}>
      <summary>All ${fields.length} options</summary>
      <div class="fields">${folded.map(control)}</div>
    </details>`
  }`;
}

function valueAt(body: Body, name: string): unknown {
  let value: unknown = body;
  for (const part of name.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Body)[part] : undefined;
  return value;
}

function fieldControl(field: FormField, value: unknown, problem: FieldProblem | undefined): Html {
  const { name, kind, help, isRequired } = field;
  const id = `f-${name}`;
  const about = html`${help !== '' && html`<small class="hint" id="${id}-help">${withCode(help)}</small>`}
  ${problem && html`<small class="problem" id="${id}-problem">${problem.text}</small>`}`;
  if (kind === 'switch')
    return html`<div class="field">
      <p class="checks">
        <input type="hidden" name="${name}" value="off" /><label
          ><input
            type="checkbox"
            name="${name}"
            value="on"
            ${describedBy(field, problem)}
            ${(value ?? field.fallback) === true && html`checked`}
          />
          ${wordsOf(name)}</label
        >
      </p>
      ${about}
    </div>`;
  if (kind === 'choices')
    return html`<fieldset class="field" ${describedBy(field, problem)}>
      <legend>${wordsOf(name)}</legend>
      <p class="checks">
        ${field.choices.map(
          (one) =>
            html`<label
              ><input
                type="checkbox"
                name="${name}"
                value="${one}"
                ${listOf(value ?? field.fallback).includes(one) && html`checked`}
              />
              ${one}</label
            >`,
        )}
      </p>
      ${about}
    </fieldset>`;
  return html`<div class="field">
    <p class="named">
      <label for="${id}">${wordsOf(name)}</label>
      ${isRequired && html`<span class="tag">required</span>`}
    </p>
    ${inputOf(field, { value, given: problem?.given }, describedBy(field, problem))} ${about}
  </div>`;
}

function describedBy({ name, help }: FormField, problem: FieldProblem | undefined): Html {
  const ids = [
    ...(help === '' ? [] : [`f-${name}-help`]),
    ...(problem === undefined ? [] : [`f-${name}-problem`]),
  ];
  return html`${ids.length > 0 && html`aria-describedby="${ids.join(' ')}"`}
  ${problem !== undefined && html`aria-invalid="true"`}`;
}

function inputOf(
  field: FormField,
  { value, given }: { readonly value: unknown; readonly given: string | undefined },
  attributes: Html,
): Html {
  const { name, kind, isRequired, min, max, maxLength, fallback, example, isWhole, choices } =
    field;
  const id = `f-${name}`;
  const required = isRequired && html`required`;
  switch (kind) {
    case 'choice':
      return html`<select id="${id}" name="${name}" ${attributes} ${required}>
        <option value="">${typeof fallback === 'string' ? `${fallback} (default)` : '–'}</option>
        ${choices
          .filter((one) => one !== fallback)
          .map((one) => html`<option ${one === value && html`selected`}>${one}</option>`)}
      </select>`;
    case 'number':
      return html`<input
        id="${id}"
        name="${name}"
        type="number"
        inputmode="${isWhole ? 'numeric' : 'decimal'}"
        step="${isWhole ? '1' : 'any'}"
        ${min !== undefined && html`min="${min}"`}
        ${max !== undefined && html`max="${max}"`}
        placeholder="${typeof fallback === 'number' ? fallback : ''}"
        value="${given ?? (typeof value === 'number' ? value : '')}"
        ${attributes}
        ${required}
      />`;
    case 'text':
    case 'address':
      return html`<input
        id="${id}"
        name="${name}"
        type="${kind === 'address' ? 'url' : 'text'}"
        maxlength="${maxLength ?? MAX_REQUEST_URL_CHARS}"
        placeholder="${typeof example === 'string' ? example : ''}"
        value="${typeof value === 'string' ? value : ''}"
        spellcheck="false"
        ${kind === 'address' && html`autocomplete="url"`}
        ${attributes}
        ${required}
      />`;
    case 'prose':
    case 'lines':
    case 'pairs':
    case 'json':
    case 'switch':
    case 'choices':
      return html`<textarea
        id="${id}"
        name="${name}"
        rows="${kind === 'prose' || kind === 'json' ? 5 : 3}"
        placeholder="${textOf(kind, example)}"
        spellcheck="false"
        ${attributes}
        ${required}
      >
${given ?? textOf(kind, value)}</textarea>`;
  }
}

function textOf(kind: FormField['kind'], value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'prose') return String(value);
  if (kind === 'lines') return listOf(value).join('\n');
  if (kind === 'pairs')
    return Object.entries(value as object)
      .map(([name, text]) => `${name}: ${text}`)
      .join('\n');
  return JSON.stringify(value, null, 2);
}

/** Names are in backticks, as Markdown has it. */
const withCode = (text: string): Piece =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** "scrapeOptions.onlyMainContent": "Scrape options: only main content" */
function wordsOf(name: string): string {
  const parts = name
    .replace(PARAMS, '')
    .split('.')
    .map((part) =>
      part
        .replace(/([a-z\d])([A-Z])/g, '$1 $2')
        .replaceAll('_', ' ')
        .toLowerCase(),
    );
  const text = parts
    .join(': ')
    .replace(/\b(?:url|html|json|css|pdf)(?=s?\b)/g, (word) => word.toUpperCase());
  return titled(text);
}
