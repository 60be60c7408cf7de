import type { JudgedContent, TruncationReason } from '@app/content';
import { outputValues, type LlmOutput, type LlmUsage } from '@app/contracts';
import type { ResultDocument, ResultFile } from '../../results/result-document.js';
import type { ClaimedPage } from '../../frontier/claim-pages.js';
import { outputsOf } from '@app/scrape';
import type { StoredDocument } from './stored-documents.js';

const MICRO = 1_000_000;

/** Result of extraction from a stored page. */
export interface MadeOfPage {
  /** Null: nothing of it was converted. */
  readonly content: JudgedContent | null;
  /** The source was read, so the conversion replaces the stored fields. */
  readonly isFromSource: boolean;
  readonly markdown: string;
  /** Absent: no model ran. */
  readonly llm?: LlmOutput;
}

export function isFile(document: StoredDocument): document is ResultFile {
  return 'isPdf' in document;
}

/**
 * JSON of a re-extracted page, in the form of a crawled one: the facts of its fetch are the stored
 * ones. Model output is added to the other formats. A document file keeps its fields.
 */
export function reextractedResult(
  page: Pick<ClaimedPage, 'options' | 'position'>,
  stored: StoredDocument,
  made: MadeOfPage,
): string {
  return JSON.stringify({
    ...(page.position === null ? {} : { index: page.position }),
    ...(isFile(stored) ? fileResult(stored, made) : pageResult(page, stored, made)),
    ...modelOutputs(made.llm),
  });
}

function fileResult(stored: ResultFile, { llm }: MadeOfPage): object {
  const { passages: _, markdownCut: __, partial: ___, ...kept } = stored;
  const { partial_reason: reason, metadata, ...shown } = kept;
  const facts = { ...metadata, ...(llm ? { llm: usage(llm.usage) } : {}) };
  return {
    ...shown,
    ...partial(reason ?? llm?.cut),
    ...(Object.keys(facts).length > 0 ? { metadata: facts } : {}),
  };
}

function pageResult(
  { options }: Pick<ClaimedPage, 'options'>,
  stored: ResultDocument,
  made: MadeOfPage,
): object {
  const { content, markdown, llm } = made;
  const read = { ...content, markdown, rawHtml: stored.rawHtml };
  const reason = partialReason(stored, made);
  return {
    url: stored.url,
    ok: true,
    statusCode: stored.statusCode,
    ...outputValues(outputsOf(options.scrape), read),
    ...partial(reason),
    // Never together with `partial` (specification: Scrape result).
    ...(stored.fallback && reason === undefined ? { fallback: stored.fallback } : {}),
    metadata: { ...metadataOf(stored, made), ...(llm ? { llm: usage(llm.usage) } : {}) },
    cascade: stored.cascade,
    unblock: stored.unblock,
  };
}

function partial(reason: string | undefined): object {
  return reason === undefined ? {} : { partial: true, partial_reason: reason };
}

/**
 * Parts that the conversion cut or left out, new for each conversion; a truncated body remains
 * truncated.
 */
const OF_CONVERSION: Readonly<Record<Exclude<TruncationReason, 'body'> | 'no_match', true>> = {
  max_nodes: true,
  max_depth: true,
  max_attributes: true,
  max_markdown_chars: true,
  max_html_chars: true,
  max_links: true,
  max_selector_steps: true,
  max_listing: true,
  max_cpu: true,
  no_match: true,
};

function partialReason(
  { partial_reason: before }: ResultDocument,
  { content, isFromSource, llm }: MadeOfPage,
): string | undefined {
  const isOutdated = isFromSource && before !== undefined && before in OF_CONVERSION;
  return (
    (isOutdated ? undefined : before) ?? content?.truncatedBy ?? content?.partReason ?? llm?.cut
  );
}

/** Facts from the source are read again; facts of its fetch cannot be. */
function metadataOf(
  { metadata }: ResultDocument,
  { content, isFromSource }: MadeOfPage,
): ResultDocument['metadata'] {
  if (!isFromSource || content === null) return metadata;
  const { sourceURL, contentType, fetchMethod, latencyMs, cached, cacheAgeMs } = metadata;
  const { signals, redirects, xRobotsTag } = metadata;
  // JSON leaves out absent fields.
  const seen = { xRobotsTag, sourceURL, contentType, fetchMethod, latencyMs, cached, cacheAgeMs };
  return { ...content.metadata, ...seen, signals, redirects };
}

function modelOutputs(llm: LlmOutput | undefined): object {
  if (!llm) return {};
  const { json, quotes, summary } = llm;
  return {
    ...(json === undefined ? {} : { json, _provenance: quotes ?? {} }),
    ...(summary === undefined ? {} : { summary }),
  };
}

function usage({ model, costMicroUsd, inputTokens, outputTokens }: LlmUsage): object {
  return { model, costUsd: costMicroUsd / MICRO, inputTokens, outputTokens };
}
