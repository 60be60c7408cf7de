import { address, integer, text, type Field } from '../fields.js';

/** Language models. */
export const MODEL_SETTINGS = {
  llmBaseUrl: address(
    'LLM_BASE_URL',
    'API in the form of OpenAI (…/v1) for json, summary and extraction by schema; default: none.',
    ['http://', 'https://'],
  ),
  llmApiKey: text('LLM_API_KEY', 'API key of LLM_BASE_URL.', { fallback: '', isSecret: true }),
  llmModelFree: text('LLM_MODEL_FREE', 'Model for tenants on the free plan.', { fallback: '' }),
  llmModelLow: text('LLM_MODEL_LOW', 'Model for paid plans.', { fallback: '' }),
  llmModelHigh: text('LLM_MODEL_HIGH', 'Model for `complexity: high`.', { fallback: '' }),
  llmModelTop: text('LLM_MODEL_TOP', 'Model for extraction without a schema.', { fallback: '' }),
  llmModelVision: text(
    'LLM_MODEL_VISION',
    'Model that reads scanned PDFs; default: they are refused with 422.',
    { fallback: '' },
  ),
  llmBudgetMicroUsd: integer(
    'LLM_BUDGET_MICRO_USD',
    'Maximum cost of models for one page or document file, in millionths of a dollar.',
    { fallback: 100_000, min: 0, max: 1_000_000_000 },
  ),
  llmTimeoutMs: integer(
    'LLM_TIMEOUT_MS',
    'Maximum time of a model for one page, added to the time of the fetch.',
    { fallback: 60_000, min: 1_000, max: 600_000 },
  ),
} as const satisfies Record<string, Field<unknown>>;
