import type { LlmRequest } from '@app/contracts';
import { parseModelRequest, type ModelCaller } from '../models/model-request.js';
import type { ScrapeRequest } from './scrape.dto.js';

/** The model's part of the page; null if no output needs one. @throws ApiError */
export function llmRequest(body: ScrapeRequest, caller: ModelCaller): LlmRequest | null {
  const json = body.formats?.includes('json') ?? false;
  const summary = body.formats?.includes('summary') ?? false;
  return parseModelRequest(body, { json, summary }, caller);
}
