import { isDeepStrictEqual } from 'node:util';
import type { Settings } from '@app/config';
import { schemaProblem } from '@app/content';
import {
  ApiError,
  type JsonSchema,
  type LlmOutput,
  type LlmRequest,
  type LlmUsage,
  type ModelClass,
} from '@app/contracts';
import { secondsToNextDay, type Tenant } from '@app/accounts';
import { invalidRequest } from '../http/invalid-request.js';
import type { ModelUseView } from './model-use.view.js';

const MICRO = 1_000_000;

/** A schema, in either of its fields. */
interface SchemaFields {
  readonly schema?: unknown;
  readonly jsonSchema?: unknown;
}

/** Outputs that need a model. */
interface ModelOutputs {
  readonly json: boolean;
  readonly summary: boolean;
  /** For extraction by a schema. @default low */
  readonly complexity?: 'low' | 'high' | null | undefined;
}

export interface ModelCaller {
  readonly tenant: Pick<Tenant, 'plan'>;
  readonly settings: ModelSettings;
}

/**
 * The model's part of a page; null if no output needs one. JSON without a schema is free-form, which
 * only the best model does well. Without a configured model the schema is only checked to be an object.
 * @throws ApiError
 */
export function parseModelRequest(
  body: SchemaFields,
  { json, summary, complexity }: ModelOutputs,
  { tenant, settings }: ModelCaller,
): LlmRequest | null {
  if (!json && !summary) {
    parseSchema(body);
    return null;
  }
  requireObject('schema', body.schema);
  requireObject('jsonSchema', body.jsonSchema);
  const isFreeForm = json && !hasSchema(body);
  const modelClass = modelClassOf(tenant, isFreeForm ? 'free-form' : (complexity ?? 'low'));
  requireModel(settings, modelClass);
  const schema = parseSchema(body);
  return { modelClass, json: json ? { schema } : null, summary };
}

export function hasSchema({ schema, jsonSchema }: SchemaFields): boolean {
  return (schema ?? jsonSchema ?? null) !== null;
}

/** Null without a schema. @throws ApiError */
function parseSchema(body: SchemaFields): JsonSchema | null {
  const schema = parseOne('schema', body.schema);
  const alias = parseOne('jsonSchema', body.jsonSchema);
  if (schema && alias && !isDeepStrictEqual(schema, alias)) {
    throw invalidRequest('`schema` and `jsonSchema` are two names of one field: send one of them');
  }
  return schema ?? alias;
}

function parseOne(name: string, value: unknown): JsonSchema | null {
  if (value === undefined || value === null) return null;
  const wrong = problemOf(value);
  if (wrong !== null) throw invalidRequest(`\`${name}\` ${wrong}`);
  return value as JsonSchema;
}

function requireObject(name: string, value: unknown): void {
  if (typeof value === 'object' && !Array.isArray(value)) return;
  if (value !== undefined) throw invalidRequest(`\`${name}\` ${schemaProblem(value)}`);
}

/** Compiled once, however many pages of a batch use it. */
const problems = new WeakMap<object, string | null>();

function problemOf(schema: unknown): string | null {
  if (typeof schema !== 'object' || schema === null) return schemaProblem(schema);
  const known = problems.get(schema);
  if (known !== undefined) return known;
  const problem = schemaProblem(schema);
  problems.set(schema, problem);
  return problem;
}

/** The routing table (specification: POST /v1/extract, Model routing). */
function modelClassOf(
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

/** Class of the model that puts passages in order. @throws ApiError without such a model */
export function rankingModel({ tenant, settings }: ModelCaller): ModelClass {
  const modelClass = modelClassOf(tenant, 'low');
  requireModel(settings, modelClass);
  return modelClass;
}

/** Runs before anything is fetched or charged. @throws ApiError that names the missing settings. */
function requireModel(settings: ModelSettings, modelClass: ModelClass): void {
  const { name, field } = MODEL_SETTINGS[modelClass];
  const missing = [
    ...(settings.llmBaseUrl === undefined ? ['LLM_BASE_URL'] : []),
    ...(settings[field] === '' ? [name] : []),
  ];
  if (missing.length > 0)
    throw new ApiError('llm_unavailable', { settings: missing.join(' and ') });
}

export function presentUse(usage: LlmUsage | undefined): ModelUseView {
  if (!usage) return { model: null, costUsd: 0, inputTokens: 0, outputTokens: 0 };
  const { model, costMicroUsd, inputTokens, outputTokens } = usage;
  return { model, costUsd: costMicroUsd / MICRO, inputTokens, outputTokens };
}

/** The reason why the model failed, for a call that needs its output. */
export function modelError({ problem: reason, message, usage }: LlmOutput): ApiError {
  const details: Record<string, string | number> = { message: message ?? reason ?? 'no answer' };
  if (reason === 'llm_quota') details['retryAfterSeconds'] = secondsToNextDay();
  return new ApiError(codeOf(reason), details, {
    body: { reason: reason ?? 'llm_failed', metadata: presentUse(usage) },
  });
}

function codeOf(reason: LlmOutput['problem']) {
  switch (reason) {
    case 'llm_budget':
    case 'llm_quota':
    case 'llm_invalid':
    case 'llm_schema':
      return reason;
    case 'llm_failed':
    case 'llm_timeout':
    case undefined:
      return 'llm_failed';
  }
}
