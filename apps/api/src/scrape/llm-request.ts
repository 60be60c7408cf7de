import type { LlmRequest } from '@app/contracts';
import type { Tenant } from '@app/store';
import { modelClassOf, parseSchema } from '../http/model-request.js';
import type { ScrapeRequest } from './scrape.dto.js';

/**
 * What a model is to make of the page; null when no output needs one. JSON without a schema is
 * free-form, which only the best model does well. @throws Refusal
 */
export function llmRequest(body: ScrapeRequest, tenant: Pick<Tenant, 'plan'>): LlmRequest | null {
  const schema = parseSchema(body);
  const wantsJson = body.formats?.includes('json') ?? false;
  const summary = body.formats?.includes('summary') ?? false;
  if (!wantsJson && !summary) return null;
  const isFreeForm = wantsJson && schema === null;
  return {
    modelClass: modelClassOf(tenant, isFreeForm ? 'free-form' : 'low'),
    json: wantsJson ? { schema } : null,
    summary,
  };
}
