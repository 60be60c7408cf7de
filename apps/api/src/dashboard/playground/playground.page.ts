import { html, type Html, type Piece } from '../html/html.js';
import { formToken, type Page } from '../html/page.js';
import { MAX_URL_CHARS } from '../../http/fields.js';
import type { SignedIn } from '../http/signed-in.js';

/** What the form asks for; shown again beside the answer. */
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

export interface PlaygroundParts {
  readonly session: SignedIn | undefined;
  readonly form: PlaygroundForm;
  /** Of the scrape that was sent; nothing before one was. */
  readonly answer?: Piece;
  readonly status?: number;
}

export function playgroundPage({ session, form, answer, status }: PlaygroundParts): Page {
  return {
    title: 'Playground',
    lead: 'One real POST /v1/scrape with your account: it is charged and limited like any other.',
    section: 'playground',
    ...(status === undefined ? {} : { status }),
    content: html`<form class="panel" method="post" action="/dashboard/playground" data-waits>
        ${formToken(session)}
        <div class="inline">
          <p class="field grows">
            <label for="url">Address of a page</label>
            <input
              id="url"
              name="url"
              type="url"
              required
              maxlength="${MAX_URL_CHARS}"
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

function checkbox(name: string, title: string, isOn: boolean): Html {
  return html`<label
    ><input type="checkbox" name="${name}" ${isOn && html`checked`} /> ${title}</label
  >`;
}
