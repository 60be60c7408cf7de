import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  PART_LIMITS,
  type Chunk,
  type ConvertReply,
  type ConvertTask,
  type PageDocument,
  type ParsedFile,
} from '@app/contracts';
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
import { PageCall, fileError, modelCostOf } from '../fetchers/page-call.js';
import { TargetCheck } from '../fetchers/target-check.js';
import { InjectRuntime } from '../runtime.token.js';
import { PARSE_FORMATS, type ParseRequest, type ParseResult } from './parse.dto.js';
import { readUpload, type SentFile } from './read-upload.js';

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

/** What is made of a document beside its text. */
type ParseOutputs = Pick<ConvertTask, 'chunks' | 'filePages' | 'pageMarkers' | 'maxTokens'>;

/** How the fields of a form are read. */
export interface UploadForm {
  /** Called before anything is charged. @throws ApiError */
  readonly outputs: (fields: UploadFields) => ParseOutputs;
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
    const form = { outputs: (fields: UploadFields) => outputsOf(parseFields(fields)) };
    const { file, chunks, ...spent } = await this.convertUpload(request, call, form);
    return { result: presentParsed(file, chunks), ...spent };
  }

  /** The document file of a form, for callers with a response of their own. @throws ApiError */
  convertUpload(
    request: FastifyRequest,
    call: ParseCall,
    { outputs, named }: UploadForm,
  ): Promise<ParsedUpload> {
    const { signal } = call;
    const maxBytes = this.runtime.settings.uploadMaxBytes;
    return this.conversions.withPlace(call, 'file', async (place) => {
      const digest = formDigestOf(request);
      let sent: SentFile | undefined;
      const fields = await readUpload(request, {
        maxBytes,
        keep: (file, description) => {
          sent = description;
          named?.(description.name);
          return this.conversions.put(place, file);
        },
        digest,
      });
      const wanted = outputs(fields);
      await confirmForm(request, this.runtime.database, digest);
      const readOptions = {
        kind: 'file',
        url: null,
        listing: false,
        llm: null,
        ...sent,
        ...wanted,
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
      ...outputsOf(body),
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

type ParseOptions = Omit<ParseRequest, 'url'>;

const outputsOf = ({
  format,
  pages = false,
  sources = false,
  pageMarkers = false,
  maxTokens,
}: ParseOptions): ParseOutputs => ({
  chunks: format === 'rag',
  ...(pages || sources ? { filePages: sources ? 'sources' : true } : {}),
  ...(pageMarkers ? { pageMarkers: true } : {}),
  ...(maxTokens == null ? {} : { maxTokens }),
});

const FIELDS: readonly string[] = ['format', 'pages', 'sources', 'pageMarkers', 'maxTokens'];

/** @throws ApiError */
function parseFields(fields: UploadFields): ParseOptions {
  const unknown = [...fields.keys()].find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw invalidRequest(`Unknown field \`${unknown.slice(0, 100)}\``);
  const text = fields.get('format') ?? 'markdown';
  const format = PARSE_FORMATS.find((name) => name === text);
  if (!format) throw invalidRequest(`\`format\` must be one of ${PARSE_FORMATS.join(', ')}`);
  const isOn = (name: string): boolean => {
    const value = fields.get(name) ?? 'false';
    if (value === 'true' || value === 'false') return value === 'true';
    throw invalidRequest(`\`${name}\` must be true or false`);
  };
  const pages = { pages: isOn('pages'), sources: isOn('sources') };
  const maxTokens = tokensOf(fields.get('maxTokens'));
  return { format, ...pages, pageMarkers: isOn('pageMarkers'), ...maxTokens };
}

/** @throws ApiError */
function tokensOf(text: string | undefined): Pick<ParseOptions, 'maxTokens'> {
  if (text === undefined) return {};
  const maxTokens = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  const { least, most } = PART_LIMITS.tokens;
  if (maxTokens >= least && maxTokens <= most) return { maxTokens };
  throw invalidRequest(`\`maxTokens\` must be a whole number from ${least} to ${most}`);
}

/** @throws ApiError */
function documentOn(page: PageDocument): Parsed {
  const { file, chunks, markdownCut } = page;
  if (!file)
    throw fileError(
      'unknown_kind',
      'The URL leads to a page, not to a document. Send it to /v1/scrape',
    );
  const cut = markdownCut ? { markdownCut } : {};
  return { file: { ...file, ...cut }, chunks, costMicroUsd: modelCostOf(page) };
}

/** @throws ApiError */
function convertedFile(reply: ConvertReply): Parsed {
  if (reply.kind === 'failed') throw fileError(reply.problem, reply.message);
  const { file, chunks, llm } = reply;
  if (!file) throw new Error('a file was converted to no file');
  return { file, chunks, costMicroUsd: llm?.usage.costMicroUsd ?? 0 };
}

function presentParsed(
  { markdown, text, format, pages, pageList, isScanned, truncatedBy, markdownCut }: ParsedFile,
  chunks: readonly Chunk[] | undefined,
): ParseResult {
  return {
    ok: true,
    markdown,
    text,
    format,
    ...(pages === undefined ? {} : { pages }),
    ...(pageList === undefined ? {} : { page_list: pageList }),
    ...(chunks === undefined ? {} : { chunks }),
    ...(markdownCut ? { markdownCut } : {}),
    ...(isScanned ? { scanned: true } : {}),
    ...(truncatedBy === undefined ? {} : { partial: true, partial_reason: truncatedBy }),
  };
}
