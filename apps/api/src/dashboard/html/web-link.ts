import { html, type Html, type Piece } from './html.js';

/**
 * An address that a link may lead to: absolute, http or https. Null for anything else, such as
 * `javascript:`; judged by the parser that browsers use, so no spelling gets by.
 */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

/** A link that leaves for a page of somebody else and tells it nothing; mere text where it may not. */
export function webLink(address: string, content: Piece = address): Html {
  const href = webAddress(address);
  if (href === null) return html`${content}`;
  return html`<a href="${href}" rel="noopener noreferrer nofollow" target="_blank">${content}</a>`;
}
