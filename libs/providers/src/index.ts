export type { AnswerSchema } from './llm/dialect.js';
export { LlmBudget, type TokenPrice } from './llm/llm-budget.js';
export { LlmClient, type LlmCall, type LlmClientOptions, type ModelUse } from './llm/llm-client.js';
export { textMessage, type LlmMessage, type LlmPart } from './llm/llm-message.js';
export type { LlmCallFailure, LlmResult } from './llm/llm-result.js';
export type { LlmHttp } from './llm/post.js';
