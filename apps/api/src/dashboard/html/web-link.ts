import { html, type Html, type Piece } from './html.js';

/**
 * A URL that may be linked: absolute, http or https. Null for anything else, such as `javascript:`;
 * parsed as browsers do, so that no spelling gets through.
 */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

/** A link to another site that sends no referrer; plain text if the URL may not be linked. */
export function webLink(address: string, content: Piece = address): Html {
  const href = webAddress(address);
  if (href === null) return html`${content}`;
  return html`<a href="${href}" rel="noopener noreferrer nofollow" target="_blank">${content}</a>`;
}
