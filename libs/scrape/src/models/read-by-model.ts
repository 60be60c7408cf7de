import {
  NO_USAGE,
  type Deadline,
  type LlmOutput,
  type LlmRequest,
  type LlmUsage,
} from '@app/contracts';
import type { ModelReader } from './model-reader.js';

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
  if (models === null) {
    const message = 'no model is configured where this was to be read: set LLM_BASE_URL';
    return { problem: 'llm_failed', message, usage: NO_USAGE };
  }
  return models.read(request, source, terms);
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
