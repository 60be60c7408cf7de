import { MAX_REQUEST_URL_CHARS } from '../../http/fields.js';
import { html, type Html, type Piece } from '../html/html.js';
import { titled } from '../html/time-text.js';
import type { Endpoint } from './endpoints.js';
import type { FieldProblem, FilledRequest } from './read-form.js';
import { PARAMS, type FormField } from './request-form.js';

type Body = Readonly<Record<string, unknown>>;

const NO_PROBLEMS: FilledRequest['problems'] = new Map();

/** The controls of a form: those of its short form, then all others, folded. */
export function fieldControls(
  { fields, short }: Pick<Endpoint, 'fields' | 'short'>,
  body: Body,
  problems: FilledRequest['problems'] = NO_PROBLEMS,
): Html {
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

/** @param prefix of ids: a page may have two forms with a field of this name */
export function fieldControl(
  field: FormField,
  value: unknown,
  problem: FieldProblem | undefined,
  prefix = 'f-',
): Html {
  const { name, kind, help, isRequired } = field;
  const id = `${prefix}${name}`;
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
            ${describedBy(field, problem, prefix)}
            ${(value ?? field.fallback) === true && html`checked`}
          />
          ${wordsOf(name)}</label
        >
      </p>
      ${about}
    </div>`;
  if (kind === 'choices')
    return html`<fieldset class="field" ${describedBy(field, problem, prefix)}>
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
      ${objectControls(field, listOf(value))} ${about}
    </fieldset>`;
  if (kind === 'rows') return rowsControl(field, listOf(value), about);
  return html`<div class="field">
    <p class="named">
      <label for="${id}">${wordsOf(name)}</label>
      ${isRequired && html`<span class="tag">required</span>`}
    </p>
    ${inputOf(field, { value, given: problem?.given, id }, describedBy(field, problem, prefix))}
    ${about}
  </div>`;
}

/** The fields of the object that a list of names may have, too. */
function objectControls(
  { name, columns, objectType: type = '' }: FormField,
  given: readonly unknown[],
): Html {
  const object = given.find((one) => valueAt(one as Body, 'type') === type);
  const controls = columns.map((column) =>
    fieldControl(
      { ...column, name: `${name}.${type}.${column.name}`, isRequired: false },
      valueAt(object as Body, column.name),
      undefined,
    ),
  );
  return html`${columns.length > 0 && html`<div class="fields">${controls}</div>`}`;
}

/** A list of objects that is filled in row by row; its buttons change the order, without a script as a new page. */
function rowsControl(
  { name, columns, maxItems = Infinity }: FormField,
  rows: readonly unknown[],
  about: Html,
): Html {
  const change = (words: string, label: string, isOff = false): Html =>
    html`<button
      class="quiet"
      name="rows"
      value="${name} ${words}"
      formnovalidate
      data-changes-rows="${name}"
      ${isOff && html`disabled`}
    >
      ${label}
    </button>`;
  return html`<fieldset class="field rows" data-rows-of="${name}">
    <legend>${wordsOf(name)}</legend>
    <ol>
      ${rows.map(
        (row, at) =>
          html`<li>
            ${columns.map((column) =>
              fieldControl(
                { ...column, name: `${name}.${at}.${column.name}`, help: '', isRequired: false },
                valueAt(row as Body, column.name),
                undefined,
              ),
            )}
            <p class="actions">
              ${change(`${at} up`, 'Up', at === 0)}
              ${change(`${at} down`, 'Down', at === rows.length - 1)}
              ${change(`${at} remove`, 'Remove')}
            </p>
          </li>`,
      )}
    </ol>
    <p class="actions">${change('add', 'Add one', rows.length >= maxItems)}</p>
    ${about}
    ${
      rows.length > 0 &&
      html`<small class="hint"
        >${columns.map(
          ({ name: column, help }) =>
            help !== '' && html`<code>${column}</code>: ${withCode(help)} `,
        )}</small
      >`
    }
  </fieldset>`;
}

function describedBy(
  { name, help }: FormField,
  problem: FieldProblem | undefined,
  prefix: string,
): Html {
  const ids = [
    ...(help === '' ? [] : [`${prefix}${name}-help`]),
    ...(problem === undefined ? [] : [`${prefix}${name}-problem`]),
  ];
  return html`${ids.length > 0 && html`aria-describedby="${ids.join(' ')}"`}
  ${problem !== undefined && html`aria-invalid="true"`}`;
}

function inputOf(
  field: FormField,
  {
    value,
    given,
    id,
  }: { readonly value: unknown; readonly given: string | undefined; readonly id: string },
  attributes: Html,
): Html {
  const { name, kind, isRequired, min, max, maxLength, fallback, example, isWhole, choices } =
    field;
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
    case 'rows':
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
export const withCode = (text: string): Piece =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A field of a row is named by itself. */
const ROW = /^.*\.\d+\./;

/** "scrapeOptions.onlyMainContent": "Scrape options: only main content" */
function wordsOf(name: string): string {
  const parts = name
    .replace(PARAMS, '')
    .replace(ROW, '')
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
