import { FILE_FORMATS } from '../../parse/file-types.js';
import { html, type Html, type Piece } from '../html/html.js';
import { formToken, type Page } from '../html/page.js';
import { tabs } from '../html/tabs.js';
import type { SignedIn } from '../http/signed-in.js';
import { costText, type Endpoint } from './endpoints.js';
import { codeOf } from './request-code.js';
import { fieldControl, fieldControls, withCode } from './field-controls.js';
import type { FilledRequest } from './read-form.js';

export const PLAYGROUND = '/dashboard/playground';
const POLL_SECONDS = 2;
const FILE_ENDINGS = FILE_FORMATS.map((format) => `.${format}`).join(',');

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
      <a href="/dashboard/requests?of=playground">Those that you sent</a>,
      <a href="/dashboard/schemas">schemas for extract</a>`,
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
          <button hidden>Send</button>
          <input type="hidden" name="form_id" value="${formId}" autocomplete="off" />
          ${fieldControls(endpoint, parts.body, parts.problems)}
          <p class="actions"><button class="primary">Send</button></p>
          <p class="live" role="status" aria-live="polite" data-announce></p>
        </form>
        ${requestCode(parts)}
      </div>
      ${id === 'parse' && fileForm(parts)} ${answer}`,
  };
}

/** A document of one's own, in place of an address. */
function fileForm({ session, endpoint, formId }: PlaygroundParts): Html {
  const format = endpoint.fields.find(({ name }) => name === 'format');
  return html`<form
    class="panel narrow"
    method="post"
    action="${PLAYGROUND}/parse/file"
    enctype="multipart/form-data"
    data-waits
  >
    <h2>A file of yours</h2>
    ${formToken(session)}
    <input type="hidden" name="form_id" value="${formId}" autocomplete="off" />
    ${format && fieldControl({ ...format, name: 'format' }, undefined, undefined, 'file-')}
    <p class="field">
      <label for="file">Document file: choose it, or drop it here</label>
      <input id="file" class="drop" name="file" type="file" accept="${FILE_ENDINGS}" required />
    </p>
    <p class="actions"><button class="primary">Read it</button></p>
    <p class="live" role="status" aria-live="polite" data-announce></p>
  </form>`;
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
