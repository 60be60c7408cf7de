import { DropTask, type Delivery } from '@app/broker';
import { Deadline, NO_USAGE, type ReplyEnvelope } from '@app/contracts';
import type { CitedAnswerTask, SearchReply, SearchTask, WebSearchTask } from '@app/search';
import { BlockedUrlError, InvalidUrlError, type EgressGuard } from '@app/egress';
import { localeOf } from '@app/fetch';
import type { SearchChain, BackendTerms } from '@app/providers';
import type { ModelReader } from '@app/scrape';
import type { Metrics } from '@app/telemetry';
import {
  SCRAPERS,
  type BusinessSearchReply,
  type BusinessSearchTask,
  type ConnectorChoiceReply,
  type ConnectorChoiceTask,
} from '@app/connectors';
import type { Scrapers } from '../outbound/open-scrapers.js';
import { fitReply, type FitReplyOptions } from './fit-reply.js';

export interface SearchConsumerOptions extends FitReplyOptions {
  readonly search: Pick<SearchChain, 'search'>;
  readonly scrapers: Scrapers;
  /** Null: no model is configured. */
  readonly models: Pick<ModelReader, 'answer' | 'choose'> | null;
  /** Of pages: backends are the operator's, results are not. */
  readonly guard: Pick<EgressGuard, 'parse'>;
  readonly metrics: Pick<Metrics, 'searchAnswers'>;
  readonly llmBudgetMicroUsd: number;
}

/** Time kept for the way back of a reply. */
const RETURN_MS = 250;

type AnyTask = SearchTask | BusinessSearchTask | ConnectorChoiceTask;
type AnySearchReply = SearchReply | BusinessSearchReply | ConnectorChoiceReply;

/** Handler of the `search` queue: results of the web for a query, answers that cite results, and businesses. */
export function searchHandler(options: SearchConsumerOptions) {
  return async (delivery: Delivery): Promise<ReplyEnvelope<AnySearchReply>> => {
    const { signal } = delivery;
    const task = parseSearchTask(delivery.task);
    const deadline = Deadline.at(task.deadlineAtMs - RETURN_MS);
    const terms = { deadline, signal };
    const reply = await replyTo(task, terms, options);
    // Requeued, or the connection is lost: another fetcher replies.
    signal.throwIfAborted();
    return fitReply(reply, task, options);
  };
}

function replyTo(
  task: AnyTask,
  terms: SearchTerms,
  options: SearchConsumerOptions,
): Promise<AnySearchReply> {
  switch (task.kind) {
    case 'web':
      return searchWeb(task, terms, options);
    case 'answer':
      return answer(task, terms, options);
    case 'businesses':
      return searchBusinesses(task, terms, options.scrapers);
    case 'choose':
      return choose(task, terms, options);
  }
}

interface SearchTerms {
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
}

function searchWeb(
  task: WebSearchTask,
  terms: SearchTerms,
  { search, guard }: SearchConsumerOptions,
): Promise<SearchReply> {
  const { query, limit, country, period, includeDomains, excludeDomains, tenantId } = task;
  const isAllowed = ({ href }: URL): boolean => mayFetch(guard, href);
  return search.search(
    {
      ...{ text: query, limit, country, period, includeDomains, excludeDomains, tenantId },
      ...{ isAllowed, locale: localeOf(country) },
    },
    terms,
  );
}

/** A private address among results is of no use to a caller, and may be there to have it fetched. */
function mayFetch(guard: Pick<EgressGuard, 'parse'>, url: string): boolean {
  try {
    guard.parse(url);
    return true;
  } catch (error) {
    if (error instanceof BlockedUrlError || error instanceof InvalidUrlError) return false;
    throw error;
  }
}

async function answer(
  { question, sources, modelClass, tenantId }: CitedAnswerTask,
  { deadline, signal }: SearchTerms,
  { models, metrics, llmBudgetMicroUsd: budgetMicroUsd }: SearchConsumerOptions,
): Promise<SearchReply> {
  if (models === null) {
    metrics.searchAnswers.inc({ outcome: 'omitted' });
    return { kind: 'answered', answer: null, usage: NO_USAGE };
  }
  const limits = { deadline, signal, budgetMicroUsd, tenantId };
  const read = await models.answer(modelClass, { question, sources }, limits);
  const outcome =
    read.answer !== null ? 'answered' : read.problem === undefined ? 'unsupported' : 'omitted';
  metrics.searchAnswers.inc({ outcome });
  return { kind: 'answered', answer: read.answer, usage: read.usage };
}

async function choose(
  task: ConnectorChoiceTask,
  { deadline, signal }: SearchTerms,
  { models, llmBudgetMicroUsd: budgetMicroUsd }: SearchConsumerOptions,
): Promise<ConnectorChoiceReply> {
  if (models === null) return { kind: 'chosen', chosen: null, usage: NO_USAGE };
  const { tenantId } = task;
  const read = await models.choose(task, { deadline, signal, budgetMicroUsd, tenantId });
  return { kind: 'chosen', ...read };
}

function parseSearchTask(value: unknown): AnyTask {
  const task = value as Partial<
    WebSearchTask | CitedAnswerTask | BusinessSearchTask | ConnectorChoiceTask
  > | null;
  const isTask =
    typeof task?.requestId === 'string' &&
    typeof task.tenantId === 'string' &&
    typeof task.deadlineAtMs === 'number' &&
    ((task.kind === 'web' && isWebSearch(task)) ||
      (task.kind === 'answer' && isCitedAnswer(task)) ||
      task.kind === 'businesses' ||
      (task.kind === 'choose' && isChoice(task)));
  if (!isTask) throw new DropTask('not a search task');
  return task.kind === 'businesses' ? parseBusinessTask(task) : (value as AnyTask);
}

function isWebSearch({
  query,
  limit,
  country,
  includeDomains,
  excludeDomains,
}: Partial<WebSearchTask>): boolean {
  return (
    typeof query === 'string' &&
    typeof limit === 'number' &&
    typeof country === 'string' &&
    Array.isArray(includeDomains) &&
    Array.isArray(excludeDomains)
  );
}

function isChoice({ text, connectors }: Partial<ConnectorChoiceTask>): boolean {
  return typeof text === 'string' && Array.isArray(connectors);
}

function isCitedAnswer({ question, sources }: Partial<CitedAnswerTask>): boolean {
  return typeof question === 'string' && Array.isArray(sources);
}

/** Runs a search of a listing scraper in its sources. */
async function searchBusinesses(
  task: BusinessSearchTask,
  terms: BackendTerms,
  scrapers: Scrapers,
): Promise<BusinessSearchReply> {
  const { query, location, limit, tenantId, plan, from } = task;
  const scraper = scrapers[task.scraper];
  const page = from?.page ?? 1;
  const wanted = { query, location, limit, tenantId, plan, page };
  const found = await scraper.search(wanted, terms, from?.source ?? null);
  const { attempts } = found;
  if (found.kind === 'failed')
    return { kind: 'no_businesses', attempts, retryAfterMs: found.retryAfterMs };
  const { source, results, next } = found;
  const known = scraper.sources.find((one) => one.source === source);
  return {
    kind: 'businesses',
    source,
    businesses: results,
    next: next == null ? null : { source, page: next },
    attribution: known?.attribution ?? null,
    costMicroUsd: known?.costMicroUsd ?? 0,
    attempts,
  };
}

/** @throws DropTask */
function parseBusinessTask(task: Partial<BusinessSearchTask>): BusinessSearchTask {
  const { scraper, query, location, limit, from } = task;
  const isTask =
    SCRAPERS.some((name) => name === scraper) &&
    typeof query === 'string' &&
    (location === null || typeof location === 'string') &&
    typeof limit === 'number' &&
    (from === null || (typeof from?.source === 'string' && typeof from.page === 'number'));
  if (!isTask) throw new DropTask('not a search for businesses');
  return task as BusinessSearchTask;
}
