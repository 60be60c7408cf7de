export { decodeBody, sniffCharset } from './charset/sniff-charset.js';
export { chunkMarkdown, type ChunkOptions } from './chunks/chunk-markdown.js';
export { countTokens } from './chunks/count-tokens.js';
export { parseHtml } from './dom/parse-html.js';
export {
  contentOfFile,
  extractPage,
  type ExtractOptions,
  type PageContent,
  type PageInput,
} from './extract-page.js';
export type { FileOptions, FileResult, PageImage, PictureOptions } from './files/file-result.js';
export { readFile } from './files/read-file.js';
export { sniffFile } from './files/sniff-file.js';
export * from './limits.js';
export { UrlResolver, withoutFragment } from './links/url-resolver.js';
export { writeMarkdown } from './markdown/write-markdown.js';
export { selectorProblem, selectorsProblem } from './selection/selectors.js';
export { type PageKind, sniffKind } from './sniff-kind.js';
export { compileSchema, schemaProblem, type CompiledSchema } from './structured/compile-schema.js';
export { conform } from './structured/conform.js';
export { groundValue } from './structured/grounding/ground.js';
export { PageText } from './structured/grounding/page-text.js';
export { hasData, isObject } from './structured/json-value.js';
export { mergeAnswers, type PartAnswer } from './structured/merge-answers.js';
export { isStrictSchema, modelSchema } from './structured/model-schema.js';
export { pageParts } from './structured/page-parts.js';
export { readAnswer, withoutFence, withoutThoughts } from './structured/read-answer.js';
