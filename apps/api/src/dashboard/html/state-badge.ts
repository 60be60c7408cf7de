import { html, type Html } from './html.js';

/** A state as text; the style sheet adds a colour. */
export function stateBadge(state: string): Html {
  return html`<span class="state" data-state="${state}">${state}</span>`;
}
