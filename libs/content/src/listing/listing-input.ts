import { type ParsedPage } from '../dom/parse-html.js';
import { type UrlResolver } from '../links/url-resolver.js';

export interface ListingInput {
  readonly page: ParsedPage;
  /** Final address, after redirects. */
  readonly url: string;
  readonly resolver: UrlResolver;
}
