import { html, type Html, type Piece } from '../html/html.js';
import { formToken, type Page } from '../html/page.js';
import { MAX_REQUEST_URL_CHARS } from '../../http/fields.js';
import type { SignedIn } from '../http/signed-in.js';

/** The form's fields; shown again beside the result. */
export interface PlaygroundForm {
  readonly url: string;
  readonly onlyMainContent: boolean;
  readonly forceHeadless: boolean;
}

export const EMPTY_FORM: PlaygroundForm = {
  url: '',
  onlyMainContent: false,
  forceHeadless: false,
};

const POLL_SECONDS = 2;

export interface PlaygroundParts {
  readonly session: SignedIn | undefined;
  readonly form: PlaygroundForm;
  /** Id of this rendering of the form: sent twice, it runs once. */
  readonly formId: string;
  /** The scrape's result; empty before one was sent. */
  readonly answer?: Piece;
}

export function playgroundPage({ session, form, formId, answer }: PlaygroundParts): Page {
  return {
    title: 'Playground',
    lead: 'One real POST /v1/scrape with your account: it is charged and limited like any other.',
    section: 'playground',
    content: html`<form class="panel" method="post" action="/dashboard/playground" data-waits>
        ${formToken(session)}
        <input type="hidden" name="form_id" value="${formId}" autocomplete="off" />
        <div class="inline">
          <p class="field grows">
            <label for="url">Address of a page</label>
            <input
              id="url"
              name="url"
              type="url"
              required
              maxlength="${MAX_REQUEST_URL_CHARS}"
              placeholder="https://example.com/"
              value="${form.url}"
              autocomplete="url"
              spellcheck="false"
            />
          </p>
          <p class="actions"><button class="primary">Scrape</button></p>
        </div>
        <p class="checks">
          ${checkbox('onlyMainContent', 'Main content only', form.onlyMainContent)}
          ${checkbox('forceHeadless', 'Begin with a browser', form.forceHeadless)}
        </p>
        <p class="live" role="status" aria-live="polite" data-announce></p>
      </form>
      ${answer}`,
  };
}

/** A scrape that was sent again before the first response. */
export function runningPage(path: string): Page {
  return {
    title: 'Playground',
    lead: 'The page is still being fetched.',
    section: 'playground',
    goesOnTo: path,
    goesOnAfterSeconds: POLL_SECONDS,
    content: html`<p><a class="button" href="${path}">Look again</a></p>`,
  };
}

function checkbox(name: string, title: string, isOn: boolean): Html {
  return html`<label
    ><input type="checkbox" name="${name}" ${isOn && html`checked`} /> ${title}</label
  >`;
}
