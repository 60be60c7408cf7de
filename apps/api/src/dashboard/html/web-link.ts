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
  const attributes = webLinkAttributes(address);
  return attributes === null ? html`${content}` : html`<a ${attributes}>${content}</a>`;
}

/** The attributes of such a link; null if the URL may not be linked. */
export function webLinkAttributes(address: string): Html | null {
  const href = webAddress(address);
  if (href === null) return null;
  return html`href="${href}" rel="noopener noreferrer nofollow" target="_blank"`;
}
