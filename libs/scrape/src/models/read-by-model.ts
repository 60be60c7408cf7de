import {
  NO_USAGE,
  type Deadline,
  type LlmOutput,
  type LlmRequest,
  type LlmUsage,
  type ModelClass,
} from '@app/contracts';
import type { ModelReader, RankedReading } from './model-reader.js';
import type { RankedQuestion } from './rank-passages.js';

export interface ModelSource {
  readonly markdown: string;
  readonly title?: string;
  readonly url: string;
}

export interface ModelTerms {
  readonly deadline: Deadline;
  readonly budgetMicroUsd: number;
  readonly signal?: AbortSignal;
  readonly tenantId: string;
}

/** The model's outputs for a page; never rejects for a fault of the model. */
export async function readByModel(
  models: ModelReader | null,
  request: LlmRequest,
  source: ModelSource,
  terms: ModelTerms,
): Promise<LlmOutput> {
  return models === null ? NO_MODEL : models.read(request, source, terms);
}

const NO_MODEL = {
  problem: 'llm_failed',
  message: 'no model is configured where this was to be read: set LLM_BASE_URL',
  usage: NO_USAGE,
} as const;

/** Passages in the model's order; never rejects for a fault of the model. */
export async function rankByModel(
  models: Pick<ModelReader, 'rank'> | null,
  modelClass: ModelClass,
  question: RankedQuestion,
  terms: ModelTerms,
): Promise<RankedReading> {
  if (models === null) return { ...NO_MODEL, passages: question.passages };
  return models.rank(modelClass, question, terms);
}

/** Both together, for one request. */
export function addUsage(
  output: LlmOutput | undefined,
  more: LlmUsage | undefined,
): LlmOutput | undefined {
  if (!more) return output;
  if (!output) return { usage: more };
  const { usage } = output;
  return {
    ...output,
    usage: {
      model: usage.model || more.model,
      calls: usage.calls + more.calls,
      inputTokens: usage.inputTokens + more.inputTokens,
      outputTokens: usage.outputTokens + more.outputTokens,
      costMicroUsd: usage.costMicroUsd + more.costMicroUsd,
      latencyMs: usage.latencyMs + more.latencyMs,
    },
  };
}
