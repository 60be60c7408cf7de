import { Injectable } from '@nestjs/common';
import { hasData } from '@app/content';
import {
  newId,
  ApiError,
  type ConvertReply,
  type JsonSchema,
  type Listing,
  type LlmOutput,
  type PageDocument,
} from '@app/contracts';
import type { Runtime } from '@app/runtime';
import {
  CreditCharges,
  CREDIT_COSTS,
  type Tenant,
  type CreditUse,
  type ChargeIds,
} from '@app/accounts';
import { Conversions, type SourcePlace } from '../fetchers/conversions.js';
import { itemId } from '../http/idempotency/item-id.js';
import { modelError, presentUse } from '../models/model-request.js';
import { PageCall } from '../fetchers/page-call.js';
import { TargetCheck } from '../fetchers/target-check.js';
import { InjectRuntime } from '../runtime.token.js';
import { extractMany, type SingleAnswer } from './extract-many.js';
import type { ExtractRequest } from './extract.dto.js';
import type { ExtractedData, ExtractedListing, ExtractedMany } from './extract-result.dto.js';
import {
  parseOutput,
  parseSource,
  type ContentSource,
  type ExtractOutput,
} from './parse-extract.js';

/** The result for one page or content, before it is presented. */
interface Extraction {
  readonly url: string | null;
  /** Null: the page shows no business, or none was requested. */
  readonly listing: Listing | null;
  /** Absent if no model was used. */
  readonly llm?: LlmOutput;
  readonly partialReason?: string;
  /** Fetch and extraction together. */
  readonly latencyMs: number;
}

function ofPage(page: PageDocument, latencyMs: number): Extraction {
  const { url, listing = null, llm, file } = page;
  const partialReason = page.partialReason ?? file?.truncatedBy ?? llm?.cut;
  return { url, listing, llm, partialReason, latencyMs };
}

type Converted = Extract<ConvertReply, { kind: 'converted' }>;

function ofContent(
  { listing = null, llm, truncatedBy }: Converted,
  { url, latencyMs }: Pick<Extraction, 'url' | 'latencyMs'>,
): Extraction {
  return { url, listing, llm, partialReason: truncatedBy ?? llm?.cut, latencyMs };
}

/** The answer for one page or content (specification: POST /v1/extract). */
function presentExtraction(
  extraction: Extraction,
  schema: JsonSchema | null,
): ExtractedListing | ExtractedData {
  return schema === null ? presentListing(extraction) : presentData(extraction, schema);
}

function presentListing({ url, listing, partialReason }: Extraction): ExtractedListing {
  return {
    url,
    data: listing as ExtractedListing['data'],
    ...(listing === null ? { reason: 'no_listing' } : {}),
    ...cut(partialReason),
  };
}

function presentData(extraction: Extraction, schema: JsonSchema): ExtractedData {
  const { url, llm, latencyMs, partialReason } = extraction;
  return {
    url,
    data: llm?.json ?? null,
    schema,
    metadata: { ...presentUse(llm?.usage), latencyMs },
    // Beside the data, never in it: `data` is valid by the schema.
    _provenance: llm?.quotes ?? {},
    ...cut(partialReason),
  };
}

function cut(reason: string | undefined): { partial?: true; partial_reason?: string } {
  return reason === undefined ? {} : { partial: true, partial_reason: reason };
}

export interface ExtractAnswer extends CreditUse {
  readonly result: ExtractedListing | ExtractedData | ExtractedMany;
}

/** The caller of an extraction, and its chargeId. */
export interface ExtractCall extends ChargeIds {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

type Call = ExtractCall & ExtractOutput;

@Injectable()
export class ExtractService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings' | 'log'>,
    private readonly targets: TargetCheck,
    private readonly pages: PageCall,
    private readonly conversions: Conversions,
    private readonly charges: CreditCharges,
  ) {}

  async extract(body: ExtractRequest, caller: ExtractCall): Promise<ExtractAnswer> {
    const source = parseSource(body, this.targets);
    const request = parseOutput(body, { tenant: caller.tenant, settings: this.runtime.settings });
    const call = { ...request, ...caller };
    switch (source.kind) {
      case 'page':
        return this.fromPage(source.url, call);
      case 'pages':
        return this.fromPages(source.urls, call);
      case 'html':
      case 'markdown':
        return this.fromContent(source, call);
    }
  }

  /** Each is charged separately, and once, however often the call is retried. */
  private async fromPages(urls: readonly string[], call: Call): Promise<ExtractAnswer> {
    const extract = (url: string): Promise<SingleAnswer> =>
      this.fromPage(url, {
        ...call,
        chargeId: itemId(call.chargeId, new URL(url).href),
        requestId: newId(),
      });
    const { result, used } = await extractMany(urls, extract, this.runtime.log);
    if (call.schema === null) return { result, credits: 0, remaining: null };
    return { result, ...(await this.charges.sum({ ...call, operation: 'extract' }, used)) };
  }

  private async fromPage(url: string, call: Call): Promise<SingleAnswer> {
    const startedAt = performance.now();
    const { llm, signal } = call;
    const isModel = llm !== null;
    const readOptions = { listing: !isModel, llm, allowVision: isModel, chunks: false };
    const task = this.pages.taskFor(url, call, readOptions);
    return this.charged(call, async () => {
      const page = await this.pages.read(task, 'extract', signal);
      return ofPage(page, since(startedAt));
    });
  }

  private fromContent(source: ContentSource, call: Call): Promise<SingleAnswer> {
    const { llm, signal } = call;
    const { kind, text, url } = source;
    const startedAt = performance.now();
    const extract = async (place: SourcePlace): Promise<Extraction> => {
      await this.conversions.put(place, Buffer.from(text));
      const readOptions = { kind, url, listing: llm === null, llm, chunks: false };
      const reply = convertedOf(
        await this.conversions.convert(place, readOptions, { operation: 'extract', signal }),
      );
      return ofContent(reply, { url, latencyMs: since(startedAt) });
    };
    return this.charged(call, () =>
      this.conversions.withPlace(call, kind, (place) => extract(place)),
    );
  }

  /**
   * A listing is free. Charged before it is returned; a model's cost is recorded even without a result.
   * @throws ApiError
   */
  private async charged(call: Call, extract: () => Promise<Extraction>): Promise<SingleAnswer> {
    const { schema, tenant, chargeId, requestId } = call;
    const charge = { tenant, operation: 'extract', chargeId, requestId } as const;
    const price = schema === null ? 0 : CREDIT_COSTS.extract;
    const { value, ...spent } = await this.charges.charged(charge, price, async () => {
      const extraction = await extract();
      const { llm } = extraction;
      const credits = hasData(llm?.json) ? price : 0;
      return { value: extraction, credits, costMicroUsd: llm?.usage.costMicroUsd ?? 0 };
    });
    if (value.llm?.problem !== undefined) throw modelError(value.llm);
    return { result: presentExtraction(value, schema), ...spent };
  }
}

/** @throws ApiError */
function convertedOf(reply: ConvertReply): Extract<ConvertReply, { kind: 'converted' }> {
  if (reply.kind === 'converted') return reply;
  const { problem: reason, message } = reply;
  throw new ApiError('fetch_failed', { problem: message }, { body: { reason } });
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
