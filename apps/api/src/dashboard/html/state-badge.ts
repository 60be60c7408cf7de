import { html, type Html } from './html.js';

/** A state: its word is always there, the colour that the style sheet gives it only helps. */
export function stateBadge(state: string): Html {
  return html`<span class="state" data-state="${state}">${state}</span>`;
}
