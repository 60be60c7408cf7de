export { buttonWeight, isButton } from './branding/brand-button.js';
export { isOwnFont, plainName } from './branding/brand-fonts.js';
export { shownLogo, statedLogo } from './branding/brand-logo.js';
export { chroma, firstColor } from './branding/css-color.js';
export { familiesOf, type BrandingCut } from './branding/css-values.js';
export {
  importedBy,
  neededSheets,
  sheetSources,
  type FetchedSheet,
} from './branding/page-sheets.js';
export { PageStyles } from './branding/page-styles.js';
export { surveyBranding } from './branding/read-branding.js';
export { decodeBody, sniffCharset, textDecoder } from './charset/sniff-charset.js';
export { chunkMarkdown } from './chunks/chunk-markdown.js';
export { countTokens } from './chunks/count-tokens.js';
export { parseHtml, parsePage, type ParsedPage } from './dom/parse-html.js';
export { collapse, textOf, walk } from './dom/walk.js';
export {
  contentOfFile,
  extractPage,
  type JudgedContent,
  type PageContent,
} from './extract-page.js';
export type { FileResult, PageImage, PictureOptions } from './files/file-result.js';
export { readFile } from './files/read-file.js';
export { sniffFile } from './files/sniff-file.js';
export { fullText, type FullText } from './full-text/full-text.js';
export { isItem, textOfValue, typesOf, type JsonLdItem } from './json-ld/json-ld-item.js';
export { readJsonLd, type JsonLd } from './json-ld/read-json-ld.js';
export { MAX_SELECTORS, MAX_SELECTOR_CHARS, type TruncationReason } from './limits.js';
export { pageBase } from './links/page-base.js';
export { UrlResolver, withoutFragment } from './links/url-resolver.js';
export { likelyCountry } from './listing/entity/page-identity.js';
export { readStatedHours } from './listing/hours/stated-hours.js';
export type { PageLine, PageRegion } from './listing/page-text/page-line.js';
export { surveyListing, type ListingSurvey } from './listing/page-text/survey-page.js';
export { type MarkedListing, readMarkedListings } from './listing/read-marked-listings.js';
export { readOwnListing } from './listing/read-listing.js';
export { readCountry } from './listing/values/country.js';
export { streetParts, type StreetParts } from './listing/values/street-parts.js';
export { canadianProvince, usState } from './listing/values/us-states.js';
export { siteOf } from './listing/values/web-address.js';
export { writeMarkdown } from './markdown/write-markdown.js';
export { readMeta, type MetaValues } from './metadata/meta-values.js';
export { readMetadata } from './metadata/read-metadata.js';
export { mainContentTexts } from './main-content/find-main-content.js';
export { markdownParts } from './passages/find-passages.js';
export { type Product } from './product/product-values.js';
export { pageBlocks, type PageBlock } from './repeated/page-blocks.js';
export { RepeatedBlocks, withoutBlocks } from './repeated/repeated-blocks.js';
export { readablePage, type ReadablePage } from './readable-page.js';
export { matchAny, type Match, selectorProblem, StepCounter } from './selection/selectors.js';
export { isMarkdownType, sniffKind } from './sniff-kind.js';
export { createAjv } from './structured/compile-schema.js';
export { compileSchema, schemaProblem, type CompiledSchema } from './structured/compile-schema.js';
export { conform } from './structured/conform.js';
export { findDates } from './structured/grounding/date-forms.js';
export { groundValue } from './structured/grounding/ground.js';
export { findNumbers } from './structured/grounding/number-forms.js';
export { PageText, wordsOf } from './structured/grounding/page-text.js';
export { canonicalJson, hasData, isObject, isStorable } from './structured/json-value.js';
export { mergeAnswers, type PartAnswer } from './structured/merge-answers.js';
export { isStrictSchema, modelSchema } from './structured/model-schema.js';
export { pageParts, type PageParts } from './structured/page-parts.js';
export { readAnswer, withoutFence, withoutThoughts } from './structured/read-answer.js';
export { judgePage, type Verdict } from './verdict/judge-page.js';
export type { JudgeInput } from './verdict/evidence.js';
