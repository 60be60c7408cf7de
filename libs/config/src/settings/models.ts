import { address, integer, text, type Field } from '../fields.js';

/** Language models. */
export const MODEL_SETTINGS = {
  llmBaseUrl: address(
    'LLM_BASE_URL',
    'API in the form of OpenAI (…/v1) for json, summary and extraction by schema; default: none.',
    ['http://', 'https://'],
  ),
  llmApiKey: text('LLM_API_KEY', 'Its key.', { fallback: '', isSecret: true }),
  llmModelFree: text('LLM_MODEL_FREE', 'Model for tenants on the free plan.', { fallback: '' }),
  llmModelLow: text('LLM_MODEL_LOW', 'Model for paid plans.', { fallback: '' }),
  llmModelHigh: text('LLM_MODEL_HIGH', 'Model for `complexity: high`.', { fallback: '' }),
  llmModelTop: text('LLM_MODEL_TOP', 'Model for extraction without a schema.', { fallback: '' }),
  llmModelVision: text(
    'LLM_MODEL_VISION',
    'Model that reads the pictures of scanned PDFs; default: they are refused with 422.',
    { fallback: '' },
  ),
  llmBudgetMicroUsd: integer(
    'LLM_BUDGET_MICRO_USD',
    'Most that models may cost one page or document, in millionths of a dollar.',
    { fallback: 100_000, min: 0, max: 1_000_000_000 },
  ),
  llmTimeoutMs: integer(
    'LLM_TIMEOUT_MS',
    'Time a model may take for one page; comes on top of the time to fetch.',
    { fallback: 60_000, min: 1_000, max: 600_000 },
  ),
} as const satisfies Record<string, Field<unknown>>;
