import type { SavedSchema } from '@app/requests';
import { dataTable } from '../html/data-table.js';
import { definitions } from '../html/definitions.js';
import { html, type Html, type Piece } from '../html/html.js';
import { problem } from '../html/notice.js';
import { formToken, type Page } from '../html/page.js';
import { timeText } from '../html/time-text.js';
import type { SignedIn } from '../http/signed-in.js';
import { fieldControl } from '../playground/field-controls.js';
import { PLAYGROUND } from '../playground/playground.page.js';
import { fieldText, type Fields } from '../results/read-result.js';
import { MAX_REQUEST_URL_CHARS } from '../../http/fields.js';
import { cellText } from '../feeds/row-view.js';
import {
  MAX_FIELD_NAME_CHARS,
  SCHEMA_ROWS,
  type PageValue,
  type SchemaRow,
} from './schema-fields.js';

export const SCHEMAS = '/dashboard/schemas';
export const MAX_TRIED = 3;

export function schemaListPage(schemas: readonly SavedSchema[], message: Piece): Page {
  return {
    title: 'Schemas',
    lead: 'What to extract from a page, by name: for the requests extract and scrape.',
    section: 'playground',
    back: { title: 'Playground', path: PLAYGROUND },
    content: html`${message}
      <p class="actions"><a class="button primary" href="${SCHEMAS}/build">Build a schema</a></p>
      ${dataTable({
        caption: 'Saved schemas, by name',
        columns: [
          {
            title: 'Name',
            cell: ({ name }) =>
              html`<a href="${SCHEMAS}/build?name=${encodeURIComponent(name)}">${name}</a>`,
            kind: 'address',
          },
          {
            title: 'Fields',
            cell: ({ schema }) =>
              Object.keys((schema as { properties?: object }).properties ?? {}).join(', '),
            kind: 'address',
          },
          { title: 'Saved', cell: ({ savedAt }) => timeText(savedAt) },
        ],
        rows: schemas,
        empty: 'None saved yet.',
      })}`,
  };
}

/** The form as it is filled in. */
export interface SchemaForm {
  /** Under which it is saved. */
  readonly name: string;
  readonly rows: readonly SchemaRow[];
  /** A page to take fields from. */
  readonly example: string;
  readonly urls: readonly string[];
}

/** What was extracted from one page. */
export interface TriedPage {
  readonly url: string;
  readonly data: Fields | null;
  readonly error: string | null;
}

export interface SchemaPageParts {
  readonly session: SignedIn | undefined;
  readonly form: SchemaForm;
  /** Null: the rows make none yet. */
  readonly schema: Fields | null;
  readonly candidates: readonly PageValue[];
  readonly tried: readonly TriedPage[];
  readonly message: Piece;
}

/** A form with several buttons: what each does is in `do`. It works as pages; no script is needed. */
export function schemaPage({ session, form, schema, ...parts }: SchemaPageParts): Page {
  const { name, rows, example, urls } = form;
  return {
    title: 'Build a schema',
    section: 'playground',
    back: { title: 'Schemas', path: SCHEMAS },
    lead: 'Name the fields yourself, or take them from an example page; try it on up to three pages, and save it.',
    content: html`${parts.message}
      <form class="panel" method="post" action="${SCHEMAS}/build" data-waits>
        ${formToken(session)}
        <div class="inline">
          ${textField('example', 'Example page', example, 'url')}
          <p class="actions"><button name="do" value="read">Read it</button></p>
        </div>
        ${valueList(parts.candidates)} ${fieldControl(SCHEMA_ROWS, rows, undefined)}
        <div class="field">
          <label for="urls">Pages to try it on, one in a line (${MAX_TRIED} at most)</label>
          <textarea id="urls" name="urls" rows="3" spellcheck="false">${urls.join('\n')}</textarea>
        </div>
        <div class="inline">
          ${textField('name', 'Name of the schema', name, 'text')}
          <p class="actions">
            <button class="primary" name="do" value="try">Try it</button>
            <button name="do" value="save">Save</button>
            ${name !== '' && html`<button class="quiet" name="do" value="delete">Delete</button>`}
          </p>
        </div>
        <p class="live" role="status" aria-live="polite" data-announce></p>
      </form>
      ${parts.tried.length > 0 && triedTable(parts.tried)} ${schema && schemaView(schema)}`,
  };
}

function textField(name: string, label: string, value: string, type: 'text' | 'url'): Html {
  return html`<p class="field grows">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      maxlength="${type === 'url' ? MAX_REQUEST_URL_CHARS : MAX_FIELD_NAME_CHARS}"
      autocomplete="off"
    />
  </p>`;
}

function valueList(candidates: readonly PageValue[]): Html {
  if (candidates.length === 0) return html``;
  return html`<fieldset class="field">
    <legend>Values of the page: take those that you want</legend>
    <ul class="values">
      ${candidates.map(
        (one) =>
          html`<li>
            <button name="do" value="take ${packed(one)}">${one.name}</button>
            <span>${one.value}</span>
          </li>`,
      )}
    </ul>
    <input type="hidden" name="candidates" value="[${candidates.map(packed).join(',')}]" />
  </fieldset>`;
}

function triedTable(tried: readonly TriedPage[]): Html {
  return html`<section aria-labelledby="tried">
    <h2 id="tried">What it finds</h2>
    ${tried.map(
      ({ url, data, error }) =>
        html`<h3>${url}</h3>
          ${
            error === null
              ? definitions(
                  'pairs',
                  Object.entries(data ?? {})
                    .filter(([name]) => !name.startsWith('_'))
                    .map(([name, value]) => [name, cellText(value)] as const),
                )
              : problem(error)
          }`,
    )}
  </section>`;
}

function schemaView(schema: Fields): Html {
  const text = JSON.stringify(schema, null, 2);
  const query = new URLSearchParams({ schema: JSON.stringify(schema) }).toString();
  return html`<section class="panel" aria-labelledby="schema-title">
    <h2 id="schema-title">The schema</h2>
    <pre
      role="region"
      aria-label="The schema as JSON"
      tabindex="0"
    ><code data-copy>${text}</code></pre>
    <p class="actions">
      <a class="button" href="${PLAYGROUND}/extract?${query}">Use it in the playground</a>
    </p>
  </section>`;
}

const packed = ({ name, type, about, value }: PageValue): string =>
  JSON.stringify([name, type, about, value]);

/** Candidates as the form carries them. */
export function pageValuesIn(text: string): readonly PageValue[] {
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return [];
    return list.flatMap((one) => {
      const [name, type, about, value] = Array.isArray(one) ? one.map(String) : [];
      return name && type && about && value ? [{ name, type, about, value }] : [];
    });
  } catch {
    return [];
  }
}

/** What went wrong with a request, in words. */
export function refusedWith(result: Fields): string {
  const error = fieldText(result, 'error') ?? 'The request failed.';
  return [error, fieldText(result, 'hint') ?? ''].join(' ').trim();
}
