import { isDeepStrictEqual } from 'node:util';
import type { Settings } from '@app/config';
import { schemaProblem } from '@app/content';
import {
  Refusal,
  type JsonSchema,
  type LlmOutput,
  type LlmRequest,
  type LlmUsage,
  type ModelClass,
} from '@app/contracts';
import type { Tenant } from '@app/store';
import { invalidRequest } from './invalid-request.js';
import type { ModelUseView } from './model-use.view.js';

const MICRO = 1_000_000;

/** The schema of a request, under either of its names; null without one. @throws Refusal */
export function parseSchema(body: {
  readonly schema?: unknown;
  readonly jsonSchema?: unknown;
}): JsonSchema | null {
  const schema = parseOne('schema', body.schema);
  const alias = parseOne('jsonSchema', body.jsonSchema);
  if (schema && alias && !isDeepStrictEqual(schema, alias)) {
    throw invalidRequest('`schema` and `jsonSchema` are two names of one field: send one of them');
  }
  return schema ?? alias;
}

function parseOne(name: string, value: unknown): JsonSchema | null {
  if (value === undefined || value === null) return null;
  const wrong = schemaProblem(value);
  if (wrong !== null) throw invalidRequest(`\`${name}\` ${wrong}`);
  return value as JsonSchema;
}

/** The routing table (specification: POST /v1/extract, Model routing). */
export function modelClassOf(
  { plan }: Pick<Tenant, 'plan'>,
  content: 'low' | 'high' | 'free-form',
): ModelClass {
  if (plan === 'free') return 'free';
  return content === 'free-form' ? 'top' : content;
}

type ModelSettings = Pick<
  Settings,
  'llmBaseUrl' | 'llmModelFree' | 'llmModelLow' | 'llmModelHigh' | 'llmModelTop'
>;

const MODEL_SETTINGS = {
  free: { name: 'LLM_MODEL_FREE', field: 'llmModelFree' },
  low: { name: 'LLM_MODEL_LOW', field: 'llmModelLow' },
  high: { name: 'LLM_MODEL_HIGH', field: 'llmModelHigh' },
  top: { name: 'LLM_MODEL_TOP', field: 'llmModelTop' },
} as const satisfies Record<ModelClass, { name: string; field: keyof ModelSettings }>;

/** Before anything is fetched or charged. @throws Refusal that names the settings that are missing. */
export function requireModel(settings: ModelSettings, llm: LlmRequest | null): void {
  if (llm === null) return;
  const { name, field } = MODEL_SETTINGS[llm.modelClass];
  const missing = [
    ...(settings.llmBaseUrl === undefined ? ['LLM_BASE_URL'] : []),
    ...(settings[field] === '' ? [name] : []),
  ];
  if (missing.length > 0) throw new Refusal('llm_unavailable', { settings: missing.join(' and ') });
}

export function presentUse(usage: LlmUsage | undefined): ModelUseView {
  if (!usage) return { model: null, costUsd: 0, inputTokens: 0, outputTokens: 0 };
  const { model, costMicroUsd, inputTokens, outputTokens } = usage;
  return { model, costUsd: costMicroUsd / MICRO, inputTokens, outputTokens };
}

/** Why the model gave nothing, for a call that is worth nothing without it. */
export function modelRefusal({ problem: reason, message, usage }: LlmOutput): Refusal {
  const details = { message: message ?? reason ?? 'no answer' };
  return new Refusal(codeOf(reason), details, {
    body: { reason: reason ?? 'llm_failed', metadata: presentUse(usage) },
  });
}

function codeOf(reason: LlmOutput['problem']) {
  switch (reason) {
    case 'llm_budget':
    case 'llm_invalid':
      return reason;
    case 'llm_failed':
    case 'llm_timeout':
    case undefined:
      return 'llm_failed';
  }
}
