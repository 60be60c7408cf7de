import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Chunk, ConvertReply, PageDocument, ParsedFile } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import {
  type Tenant,
  CreditCharges,
  type CreditUse,
  type ChargeIds,
  CREDIT_COSTS,
} from '@app/accounts';
import { Conversions } from '../fetchers/conversions.js';
import { confirmForm, formDigestOf } from '../http/idempotency/claimed-requests.js';
import { invalidRequest } from '../http/invalid-request.js';
import { PageCall } from '../fetchers/page-call.js';
import { fileError, freshCostOf } from '../fetchers/page-reply.js';
import { TargetCheck } from '../fetchers/target-check.js';
import { InjectRuntime } from '../runtime.token.js';
import {
  PARSE_FORMATS,
  type ParseFormat,
  type ParseRequest,
  type ParseResult,
} from './parse.dto.js';
import { readUpload } from './read-upload.js';

export interface ParseAnswer extends CreditUse {
  readonly result: ParseResult;
}

/** The caller of a conversion, and its chargeId. */
export interface ParseCall extends ChargeIds {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

/** The outcome for one document file. */
interface Parsed {
  readonly file: ParsedFile;
  readonly chunks?: readonly Chunk[];
  readonly costMicroUsd: number;
}

@Injectable()
export class ParseService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'settings'>,
    private readonly targets: TargetCheck,
    private readonly pages: PageCall,
    private readonly conversions: Conversions,
    private readonly charges: CreditCharges,
  ) {}

  parseUpload(request: FastifyRequest, call: ParseCall): Promise<ParseAnswer> {
    const { signal } = call;
    const maxBytes = this.runtime.settings.uploadMaxBytes;
    return this.conversions.withPlace(call, 'file', async (place) => {
      const digest = formDigestOf(request);
      const fields = await readUpload(request, {
        maxBytes,
        keep: (file) => this.conversions.put(place, file),
        digest,
      });
      const chunks = parseFormat(fields) === 'rag';
      await confirmForm(request, this.runtime.database, digest);
      const readOptions = { kind: 'file', url: null, listing: false, llm: null, chunks } as const;
      return this.charged(call, async () =>
        convertedFile(
          await this.conversions.convert(place, readOptions, { operation: 'parse', signal }),
        ),
      );
    });
  }

  async parseUrl(body: ParseRequest, call: ParseCall): Promise<ParseAnswer> {
    const { signal } = call;
    this.targets.parse(body.url);
    const readOptions = {
      listing: false,
      llm: null,
      allowVision: true,
      chunks: body.format === 'rag',
    };
    const task = this.pages.taskFor(body.url, call, readOptions);
    return this.charged(call, async () => documentOn(await this.pages.read(task, 'parse', signal)));
  }

  private async charged(call: ParseCall, parse: () => Promise<Parsed>): Promise<ParseAnswer> {
    const charge = { ...call, operation: 'parse' } as const;
    const credits = CREDIT_COSTS.parse;
    const { value, ...spent } = await this.charges.charged(charge, credits, async () => {
      const { costMicroUsd, ...parsed } = await parse();
      return { value: parsed, credits, costMicroUsd };
    });
    return { result: presentParsed(value.file, value.chunks), ...spent };
  }
}

/** @throws ApiError */
function parseFormat(fields: ReadonlyMap<string, string>): ParseFormat {
  const unknown = [...fields.keys()].find((name) => name !== 'format');
  if (unknown !== undefined) throw invalidRequest(`Unknown field \`${unknown.slice(0, 100)}\``);
  const text = fields.get('format') ?? 'markdown';
  const format = PARSE_FORMATS.find((name) => name === text);
  if (!format) throw invalidRequest(`\`format\` must be one of ${PARSE_FORMATS.join(', ')}`);
  return format;
}

/** @throws ApiError */
function documentOn(page: PageDocument): Parsed {
  const { file, chunks } = page;
  if (!file) throw fileError('unknown_kind', 'The URL leads to a page, not to a document');
  return { file, chunks, costMicroUsd: freshCostOf(page) };
}

/** @throws ApiError */
function convertedFile(reply: ConvertReply): Parsed {
  if (reply.kind === 'failed') throw fileError(reply.problem, reply.message);
  const { file, chunks, llm } = reply;
  if (!file) throw new Error('a file was converted to no file');
  return { file, chunks, costMicroUsd: llm?.usage.costMicroUsd ?? 0 };
}

function presentParsed(
  { markdown, text, format, pages, isScanned, truncatedBy }: ParsedFile,
  chunks: readonly Chunk[] | undefined,
): ParseResult {
  return {
    ok: true,
    markdown,
    text,
    format,
    ...(pages === undefined ? {} : { pages }),
    ...(chunks === undefined ? {} : { chunks }),
    ...(isScanned ? { scanned: true } : {}),
    ...(truncatedBy === undefined ? {} : { partial: true, partial_reason: truncatedBy }),
  };
}
