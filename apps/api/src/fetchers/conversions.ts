import { Injectable } from '@nestjs/common';
import { BlobUnavailableError } from '@app/blobs';
import {
  UPLOAD_FOLDER,
  type ConvertReply,
  type ConvertSource,
  type ConvertTask,
  type LlmUsage,
  type Plan,
} from '@app/contracts';
import type { PassagesReply } from '@app/jobs';
import type { Runtime } from '@app/runtime';
import { type ChargedOperation, type Tenant, CreditCharges } from '@app/accounts';
import { InjectRuntime } from '../runtime.token.js';
import { FetcherCall, fetchersUnavailable } from './fetcher-call.js';

/** Blob key of one conversion's source, and its chargeId. */
export interface SourcePlace {
  readonly requestId: string;
  readonly tenantId: string;
  readonly plan: Plan;
  readonly key: string;
}

export type ConvertRequest = Pick<
  ConvertTask,
  'listing' | 'llm' | 'chunks' | 'filePages' | 'pageMarkers' | 'maxTokens'
> &
  Omit<ConvertSource, 'key'>;

/** Sends uploads to fetchers for conversion. Sources travel through the blob store. */
@Injectable()
export class Conversions {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings' | 'log' | 'blobs'>,
    private readonly fetchers: FetcherCall,
    private readonly charges: CreditCharges,
  ) {}

  /** Reserves a blob key for one source; the blob is deleted when `work` ends, however it ends. */
  async withPlace<T>(
    { tenant, requestId }: { readonly tenant: Tenant; readonly requestId: string },
    kind: ConvertSource['kind'],
    work: (place: SourcePlace) => Promise<T>,
  ): Promise<T> {
    const { id: tenantId, plan } = tenant;
    const key = `${UPLOAD_FOLDER}${tenantId}/${requestId}.${kind}`;
    const { blobs, log } = this.runtime;
    try {
      return await work({ requestId, tenantId, plan, key });
    } finally {
      blobs
        .delete(key)
        .catch((err: unknown) => log.warn({ err, key }, 'an upload was not deleted'));
    }
  }

  /** @throws ApiError if storage is unavailable */
  async put(
    { key }: SourcePlace,
    body: Parameters<Runtime['blobs']['put']>[1],
  ): Promise<{ readonly bytes: number }> {
    try {
      return await this.runtime.blobs.put(key, body);
    } catch (cause) {
      throw cause instanceof BlobUnavailableError ? fetchersUnavailable(cause) : cause;
    }
  }

  /** A model's cost is recorded even without a result. @throws ApiError */
  async convert(
    place: SourcePlace,
    request: ConvertRequest,
    { operation, signal }: { readonly operation: ChargedOperation; readonly signal: AbortSignal },
  ): Promise<ConvertReply> {
    const { requestId, tenantId, plan, key } = place;
    const { kind, url, name, contentType, ...rest } = request;
    const { llmModelVision } = this.runtime.settings;
    const usesModel = request.llm !== null || (kind === 'file' && llmModelVision !== '');
    const deadlineAtMs = Date.now() + this.timeoutMs(usesModel);
    const described = name === undefined ? {} : { name, ...(contentType ? { contentType } : {}) };
    const source = { kind, key, url, ...described };
    const task = { requestId, tenantId, plan, source, ...rest, deadlineAtMs };
    const recordCost = (late: ConvertReply | PassagesReply): Promise<void> =>
      this.charges.recordCost(place, operation, usageOf(conversionOf(late)));
    const reply = conversionOf(await this.fetchers.request('convert', task, signal, recordCost));
    if (reply.kind === 'failed') await recordCost(reply);
    return reply;
  }

  private timeoutMs(usesModel: boolean): number {
    const { scrapeTimeoutMs, llmTimeoutMs } = this.runtime.settings;
    return scrapeTimeoutMs + (usesModel ? llmTimeoutMs : 0);
  }
}

function usageOf(reply: ConvertReply): LlmUsage | undefined {
  return reply.kind === 'failed' ? reply.usage : reply.llm?.usage;
}

function conversionOf(reply: ConvertReply | PassagesReply): ConvertReply {
  if (reply.kind === 'passages') throw new Error('a conversion was answered with passages');
  return reply;
}
