import { html, type Html, type Piece } from './html.js';

export type Definition = readonly [title: Piece, value: Piece];

/**
 * Titles with their values.
 * @param look class of the style sheet
 * @param rows those without a value are left out
 */
export function definitions(
  look: 'facts' | 'figures' | 'figures panel' | 'pairs',
  rows: readonly Definition[],
): Html {
  const known = rows.filter(([, value]) => value !== null && value !== undefined);
  return html`<dl class="${look}">
    ${known.map(
      ([title, value]) =>
        html`<div>
          <dt>${title}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
