export { decodeBody, sniffCharset } from './charset/sniff-charset.js';
export { parseHtml } from './dom/parse-html.js';
export {
  extractPage,
  type ExtractOptions,
  type PageContent,
  type PageInput,
} from './extract-page.js';
export * from './limits.js';
export { selectorProblem, selectorsProblem } from './selection/selectors.js';
export { UrlResolver, withoutFragment } from './links/url-resolver.js';
export { type PageKind, sniffKind } from './sniff-kind.js';
