import { withoutFence, withoutThoughts, type PageImage, type PageParts } from '@app/content';
import type {
  Deadline,
  LlmOutput,
  LlmProblem,
  LlmRequest,
  LlmUsage,
  ModelClass,
} from '@app/contracts';
import type { ChosenConnector, ConnectorChoiceTask } from '@app/connectors';
import {
  LlmBudget,
  textMessage,
  type LlmClient,
  type LlmMessage,
  type ModelUse,
} from '@app/providers';
import { answerQuestion, type QuestionSources } from './answer-question.js';
import { chooseConnector } from './choose-connector.js';
import { rankPassages, type RankedQuestion } from './rank-passages.js';
import { failure, type ModelFailure } from './model-failure.js';
import {
  callForText,
  inParallel,
  runStep,
  type ModelGate,
  type ModelSession,
  type ReadingTimes,
} from './model-session.js';
import { BLANK_PAGE, TRANSCRIBE_INSTRUCTIONS, type ModelPage } from './prompts.js';
import { prepareJson, readJson } from './read-json.js';
import { readSummary } from './read-summary.js';
import type { ReadingThreads, ModelStepResult } from './reading-threads.js';

export interface ModelReaderOptions {
  readonly client: LlmClient;
  readonly gate: ModelGate;
  /** The caller closes them. */
  readonly threads: ReadingThreads;
  /** Concurrent calls of one request. @default 3 */
  readonly concurrency?: number;
  /** Maximum tokens of a page in one call; a longer page is read in parts. @default 8_000 */
  readonly maxPartTokens?: number;
}

export interface ReadLimits {
  readonly deadline: Deadline;
  /** Maximum total cost of all calls of the request. */
  readonly budgetMicroUsd: number;
  readonly signal?: AbortSignal;
  /** Owner of the request: tenants take turns in the threads, and each has its calls of a day. Null: none, so none. */
  readonly tenantId: string | null;
}

export interface ImageReading {
  readonly markdown: string;
  readonly usage: LlmUsage;
  /** Pages that could not be read, with the reason; absent if all were read. */
  readonly missing?: { readonly pages: readonly number[]; readonly message: string };
}

export interface CitedReading {
  readonly answer: string | null;
  readonly usage: LlmUsage;
  /** The model gave no answer; absent if it did, supported or not. */
  readonly problem?: LlmProblem;
}

export interface ConnectorReading {
  /** Null: none suits, or there is a problem. */
  readonly chosen: ChosenConnector | null;
  readonly problem?: LlmProblem;
  readonly usage: LlmUsage;
}

export interface RankedReading {
  /** As they were if there is a problem. */
  readonly passages: RankedQuestion['passages'];
  readonly usage: LlmUsage;
  readonly problem?: LlmProblem;
  readonly message?: string;
}

/** Why there is no result of the model. */
export type LlmFailure = Required<Pick<LlmOutput, 'problem' | 'message' | 'usage'>>;

const DEFAULT_CONCURRENCY = 3;
const DEFAULT_PART_TOKENS = 8_000;
/** Tokens of a dense page of text. */
const MAX_PAGE_TOKENS = 4_096;
const MIN_PAGE_TOKENS = 1_024;
/** Share of a budget that the page's text in one call may cost at most. */
const PART_SHARE = 0.4;
/** Of text; in the worst case each is a token. */
const BYTES_PER_TOKEN = 4.5;
const MIN_PART_TOKENS = 500;
/** Share of the time reserved for processing the model's answers; capped. */
const CHECK_SHARE = 0.1;
const MAX_CHECK_MS = 2_000;

/** Reads pages with language models: data by a schema, summaries, and text in images. */
export class ModelReader {
  private readonly client: LlmClient;
  private readonly gate: ModelGate;
  private readonly threads: ReadingThreads;
  private readonly concurrency: number;
  private readonly maxPartTokens: number;

  constructor({ client, gate, threads, concurrency, maxPartTokens }: ModelReaderOptions) {
    this.client = client;
    this.gate = gate;
    this.threads = threads;
    this.concurrency = concurrency ?? DEFAULT_CONCURRENCY;
    this.maxPartTokens = maxPartTokens ?? DEFAULT_PART_TOKENS;
  }

  /**
   * Produces the requested outputs for a page. Never rejects. `problem` is set if a requested output is missing;
   * `message` without it describes omissions in the outputs that exist.
   */
  async read(request: LlmRequest, page: ModelPage, limits: ReadLimits): Promise<LlmOutput> {
    const startedAt = performance.now();
    const session = this.session(request.modelClass, limits, timesWithin(limits.deadline));
    const parts = partsOf(session, page);
    const query = request.json && (await prepareJson(session, request.json.schema));
    // A request that fails by its schema is free, so no other part of it is read.
    if (query?.ok === false) {
      const { problem, message } = query;
      return { problem, message, usage: this.usage(session, startedAt) };
    }
    const [json, summary] = await Promise.all([
      query && readJson(session, query, page, parts),
      request.summary ? readSummary(session, page, parts) : null,
    ]);
    const failed = [json, summary].find((one) => one?.ok === false);
    const cut = [json, summary].map((one) => (one?.ok ? one.cut : undefined)).find(Boolean);
    const messages = [json, summary].flatMap((one) =>
      one === null ? [] : one.ok ? one.notes : [one.message],
    );
    if (session.budget.isEstimated) messages.push(ESTIMATED);
    return {
      ...(json?.ok ? { json: json.value, quotes: json.quotes } : {}),
      ...(summary?.ok ? { summary: summary.summary } : {}),
      ...(failed?.ok === false ? { problem: failed.problem } : cut ? { cut } : {}),
      ...(messages.length > 0 ? { message: messages.join('; ') } : {}),
      usage: this.usage(session, startedAt),
    };
  }

  /** Answers a question from the results of a search. Never rejects; `answer` null: there is none that its sources support. */
  async answer(
    modelClass: ModelClass,
    { question, sources }: QuestionSources,
    limits: ReadLimits,
  ): Promise<CitedReading> {
    const startedAt = performance.now();
    const session = this.session(modelClass, limits, timesWithin(limits.deadline));
    const read = await answerQuestion(session, { question, sources });
    const usage = this.usage(session, startedAt);
    if (!read.ok) return { answer: null, problem: read.problem, usage };
    return { answer: read.value.answer, usage };
  }

  /** Chooses the connector that a message means. Never rejects; `chosen` null: none suits, or the model failed. */
  async choose(
    task: Pick<ConnectorChoiceTask, 'text' | 'known' | 'connectors' | 'modelClass'>,
    limits: ReadLimits,
  ): Promise<ConnectorReading> {
    const startedAt = performance.now();
    const session = this.session(task.modelClass, limits, timesWithin(limits.deadline));
    const read = await chooseConnector(session, task);
    const usage = this.usage(session, startedAt);
    return read.ok
      ? { chosen: read.value.chosen, usage }
      : { chosen: null, problem: read.problem, usage };
  }

  /** Puts passages into the order in which they answer a question. Never rejects. */
  async rank(
    modelClass: ModelClass,
    question: RankedQuestion,
    limits: ReadLimits,
  ): Promise<RankedReading> {
    const startedAt = performance.now();
    const session = this.session(modelClass, limits, timesWithin(limits.deadline));
    const read = await rankPassages(session, question);
    const usage = this.usage(session, startedAt);
    if (read.ok) return { passages: read.value, usage };
    const { problem, message } = read;
    return { passages: question.passages, problem, message, usage };
  }

  /** Reads scanned pages one by one, as Markdown in the order given. Never rejects. */
  async readImages(
    images: readonly PageImage[],
    limits: ReadLimits,
  ): Promise<ImageReading | LlmFailure> {
    const startedAt = performance.now();
    const { deadline } = limits;
    const session = this.session('vision', limits, {
      modelCalls: deadline,
      check: deadline,
      join: deadline,
    });
    const read = await inParallel(images, this.concurrency, (image) => readImage(session, image));
    const usage = this.usage(session, startedAt);
    const [failed] = read.filter((one) => !one.ok);
    const pages = images.filter((_, index) => read[index]?.ok === false).map(({ page }) => page);
    if (failed?.ok === false && pages.length === images.length) {
      return { problem: failed.problem, message: failed.message, usage };
    }
    const texts = read.flatMap((one) => (one.ok && one.markdown !== '' ? [one.markdown] : []));
    return {
      markdown: texts.join('\n\n'),
      usage,
      ...(failed?.ok === false ? { missing: { pages, message: failed.message } } : {}),
    };
  }

  private session(
    use: ModelUse,
    { budgetMicroUsd, signal, tenantId }: ReadLimits,
    times: ReadingTimes,
  ): ModelSession {
    return {
      client: this.client,
      gate: this.gate,
      threads: this.threads,
      tenantId,
      use,
      budget: new LlmBudget(budgetMicroUsd),
      times,
      concurrency: this.concurrency,
      maxPartTokens: this.partTokens(use, budgetMicroUsd),
      ...(signal === undefined ? {} : { signal }),
    };
  }

  /** A small budget needs smaller parts of the page: the worst case must leave room for the answer. */
  private partTokens(use: ModelUse, budgetMicroUsd: number): number {
    const { input } = this.client.priceOf(use);
    if (input === 0) return this.maxPartTokens;
    const bytes = (PART_SHARE * budgetMicroUsd * 1_000_000) / input;
    const tokens = Math.max(MIN_PART_TOKENS, Math.floor(bytes / BYTES_PER_TOKEN));
    return Math.min(this.maxPartTokens, tokens);
  }

  private usage({ use, budget }: ModelSession, startedAt: number): LlmUsage {
    return budget.usage(this.client.modelFor(use) ?? '', performance.now() - startedAt);
  }
}

function timesWithin(deadline: Deadline): ReadingTimes {
  const leftMs = deadline.remainingMs();
  const checkMs = Math.min(MAX_CHECK_MS, CHECK_SHARE * leftMs);
  return {
    modelCalls: deadline.within(leftMs - checkMs),
    check: deadline.within(leftMs - checkMs / 2),
    join: deadline,
  };
}

/** Cuts the page on the first call, once for all outputs. */
function partsOf(
  session: ModelSession,
  { markdown }: ModelPage,
): () => Promise<ModelStepResult<PageParts>> {
  let cut: Promise<ModelStepResult<PageParts>> | null = null;
  return () => {
    cut ??= runStep(session, 'cut', { markdown, maxTokens: session.maxPartTokens });
    return cut;
  };
}

const ESTIMATED = 'the model server did not count all tokens; some are estimated';

type PageReading = { readonly ok: true; readonly markdown: string } | ModelFailure;

async function readImage(session: ModelSession, { png }: PageImage): Promise<PageReading> {
  const messages: LlmMessage[] = [
    textMessage('system', TRANSCRIBE_INSTRUCTIONS),
    { role: 'user', parts: [{ kind: 'image', png }] },
  ];
  const read = (maxTokens: number) =>
    callForText(session, messages, { answer: null, maxTokens, minTokens: MIN_PAGE_TOKENS });
  const first = await read(MAX_PAGE_TOKENS);
  const page = first.ok && first.isCut ? await read(2 * MAX_PAGE_TOKENS) : first;
  if (!page.ok) return page;
  if (page.isCut) return failure('llm_failed', 'the page has more text than a model may answer');
  return { ok: true, markdown: transcript(page.text) };
}

function transcript(answer: string): string {
  const text = withoutThoughts(answer);
  const isFenced = /^```[\w-]*\n[\s\S]*```$/.test(text);
  const markdown = (isFenced ? withoutFence(text) : text).trim();
  return markdown === BLANK_PAGE ? '' : markdown;
}
