export { citedAnswer, type CitationCheck } from './answer/cited-answer.js';
export { answerData, withoutOrders } from './answer/answer-data.js';
export { parseHtmlSetting } from './backends/html-setting.js';
export { type SearchValues } from './backends/setting-rules.js';
export { parseSerpSetting } from './backends/serp-setting.js';
export {
  checkRules,
  parseSettingJson,
  placeholderRules,
  type SearchTemplate,
  type SettingFields,
  settingObject,
  type SettingRule,
  templateRules,
  textField,
} from './backends/setting-rules.js';
export { bareDomain } from './query/bare-domain.js';
export { effectiveQuery, SEARCH_CATEGORIES, type SearchCategory } from './query/effective-query.js';
export { MergedResults, type ResultTerms } from './results/merged-results.js';
export type { PageReading } from './results/page-reading.js';
export { hasChallenge } from './results/read-html-results.js';
export { textOfMarkup } from './results/found-page.js';
export { parseAnswer } from './results/read-json-results.js';
export { textOfAnswer } from './results/read-results.js';
export {
  readSearchResults,
  type SearchResultPage,
  type ResultShape,
} from './results/read-results.js';
export {
  SEARCH_SOURCES,
  type CitableSource,
  type CitedAnswerTask,
  type FoundPage,
  type SearchAttempt,
  type SearchPeriod,
  type SearchReply,
  type SearchSource,
  type SearchTask,
  type WebSearchTask,
} from './search-task.js';
