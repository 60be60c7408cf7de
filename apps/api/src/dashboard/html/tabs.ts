import { html, type Html, type Piece } from './html.js';

export interface Tab {
  readonly title: string;
  readonly content: Piece;
}

/** The style sheet shows one pane of so many. */
export const MAX_TABS = 8;

/**
 * Views of one thing, of which one is shown. Radio buttons switch between them, so that it works without a script and by
 * keyboard. A single view has no buttons.
 * @param name of the radio buttons; unique on the page
 */
export function tabs(name: string, legend: string, all: readonly Tab[]): Html {
  const shown = all.slice(0, MAX_TABS);
  return html`<div class="tabs">
    <fieldset ${shown.length < 2 && html`hidden`}>
      <legend>${legend}</legend>
      ${shown.map(
        ({ title }, at) =>
          html`<input type="radio" name="${name}" id="${name}-${at}" ${at === 0 && html`checked`} />
            <label for="${name}-${at}">${title}</label>`,
      )}
    </fieldset>
    <div class="panes">${shown.map(({ content }) => html`<div>${content}</div>`)}</div>
  </div>`;
}
