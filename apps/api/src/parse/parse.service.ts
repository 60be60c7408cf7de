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
import { PageCall, fileError, freshCostOf } from '../fetchers/page-call.js';
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

/** The text fields of a form. */
type UploadFields = ReadonlyMap<string, string>;

/** How the fields of a form are read. */
export interface UploadForm {
  /** Whether the document is split into chunks. Called before anything is charged. @throws ApiError */
  readonly chunks: (fields: UploadFields) => boolean;
  /** Called with the name of the file. */
  readonly named?: (fileName: string) => void;
}

export type ParsedUpload = Omit<Parsed, 'costMicroUsd'> & CreditUse;

@Injectable()
export class ParseService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'settings'>,
    private readonly targets: TargetCheck,
    private readonly pages: PageCall,
    private readonly conversions: Conversions,
    private readonly charges: CreditCharges,
  ) {}

  async parseUpload(request: FastifyRequest, call: ParseCall): Promise<ParseAnswer> {
    const chunked = { chunks: (fields: UploadFields) => parseFormat(fields) === 'rag' };
    const { file, chunks, ...spent } = await this.convertUpload(request, call, chunked);
    return { result: presentParsed(file, chunks), ...spent };
  }

  /** The document file of a form, for callers with a response of their own. @throws ApiError */
  convertUpload(
    request: FastifyRequest,
    call: ParseCall,
    { chunks, named }: UploadForm,
  ): Promise<ParsedUpload> {
    const { signal } = call;
    const maxBytes = this.runtime.settings.uploadMaxBytes;
    return this.conversions.withPlace(call, 'file', async (place) => {
      const digest = formDigestOf(request);
      const fields = await readUpload(request, {
        maxBytes,
        keep: (file, fileName) => {
          named?.(fileName);
          return this.conversions.put(place, file);
        },
        digest,
      });
      const isChunked = chunks(fields);
      await confirmForm(request, this.runtime.database, digest);
      const readOptions = {
        kind: 'file',
        url: null,
        listing: false,
        llm: null,
        chunks: isChunked,
      } as const;
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
    const { file, chunks, ...spent } = await this.charged(call, async () =>
      documentOn(await this.pages.read(task, 'parse', signal)),
    );
    return { result: presentParsed(file, chunks), ...spent };
  }

  private async charged(call: ParseCall, parse: () => Promise<Parsed>): Promise<ParsedUpload> {
    const charge = { ...call, operation: 'parse' } as const;
    const credits = CREDIT_COSTS.parse;
    const { value, ...spent } = await this.charges.charged(charge, credits, async () => {
      const { costMicroUsd, ...parsed } = await parse();
      return { value: parsed, credits, costMicroUsd };
    });
    return { ...value, ...spent };
  }
}

/** @throws ApiError */
function parseFormat(fields: UploadFields): ParseFormat {
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
