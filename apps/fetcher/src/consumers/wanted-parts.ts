import {
  Deadline,
  PART_LIMITS,
  type PageDocument,
  type ScrapeReply,
  type ScrapeTask,
} from '@app/contracts';
import {
  addUsage,
  rankByModel,
  ThreadTimeoutError,
  type ContentPool,
  type ModelReader,
} from '@app/scrape';

export interface PartsOptions {
  readonly content: Pick<ContentPool, 'parts'>;
  readonly models: ModelReader | null;
  readonly llmBudgetMicroUsd: number;
  /** Time reserved for the model, if one is used. */
  readonly llmTimeoutMs: number;
}

/** A page with the parts of its Markdown that the task wants. */
export async function withWantedParts(
  document: PageDocument,
  task: ScrapeTask,
  signal: AbortSignal,
  options: PartsOptions,
): Promise<ScrapeReply> {
  const { passages, maxTokens, tenantId, deadlineAtMs } = task;
  if (passages === undefined && maxTokens === undefined) return { kind: 'document', document };
  const { file, url, metadata, cascade } = document;
  const { markdown = '' } = file ?? document;
  const max = Math.max(passages?.max ?? 0, passages?.rerank ? PART_LIMITS.passages.reranked : 0);
  const wanted = {
    ...(passages ? { passages: { ...passages, max } } : {}),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
  const terms = { tenantId, deadline: Deadline.at(deadlineAtMs), signal };
  try {
    const { language } = metadata;
    const page = { markdown, url, language, wanted };
    const { markdown: kept = markdown, ...parts } = await options.content.parts(page, terms);
    const text = file ? { file: { ...file, markdown: kept } } : { markdown: kept };
    const found = { ...document, ...text, ...parts };
    return { kind: 'document', document: await ranked(found, task, signal, options) };
  } catch (error) {
    if (!(error instanceof ThreadTimeoutError)) throw error;
    const problem = 'Fetch failed: the page was fetched, but its parts were not found in time';
    const { llm } = document;
    return { kind: 'failed', problem, cascade, ...(llm ? { usage: llm.usage } : {}) };
  }
}

/** The best passages in the order of a model, if that is wanted; without its answer they are in the order of their words. */
async function ranked(
  document: PageDocument,
  { passages: wanted, deadlineAtMs, tenantId }: ScrapeTask,
  signal: AbortSignal,
  { models, llmBudgetMicroUsd, llmTimeoutMs }: PartsOptions,
): Promise<PageDocument> {
  const { passages = [], llm } = document;
  if (wanted?.rerank === undefined) return document;
  const { reranked } = PART_LIMITS.passages;
  const [best, others] = [passages.slice(0, reranked), passages.slice(reranked)];
  if (best.length < 2) return document;
  const limits = {
    deadline: Deadline.at(deadlineAtMs).within(llmTimeoutMs),
    budgetMicroUsd: llmBudgetMicroUsd - (llm?.usage.costMicroUsd ?? 0),
    ...{ signal, tenantId },
  };
  const question = { query: wanted.query, passages: best };
  const reading = await rankByModel(models, wanted.rerank, question, limits);
  const { usage, problem, message } = reading;
  const failed = problem === undefined ? {} : { problem, ...(message ? { message } : {}) };
  return {
    ...document,
    passages: [...reading.passages, ...others].slice(0, wanted.max),
    llm: { ...failed, ...(addUsage(llm, usage) ?? { usage }) },
  };
}
