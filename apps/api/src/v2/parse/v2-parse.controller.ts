import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import type { ChargeIds, Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../../accounts/credits/set-credit-headers.js';
import { clientGone } from '../../http/client-gone.js';
import { CREDIT_ERRORS, RequiresV2Key } from '../../http/documented.js';
import { CurrentCharge } from '../../http/idempotency/claimed-requests.js';
import { ParseService, type ParseCall, type ParsedUpload } from '../../parse/parse.service.js';
import { presentV2File } from '../documents/present-file.js';
import { V2ScrapeResult } from '../documents/v2-document.dto.js';
import { Warnings, warningField } from '../options/warnings.js';
import { V2ParseUpload } from './v2-parse.dto.js';
import { invalidRequest } from '../../http/invalid-request.js';
import { structureProblem } from '../../http/json-structure.js';
import { requireMarkdown } from '../options/formats.js';
import { booleanOption, readOptions, type V2Fields } from '../options/read-options.js';
import { REFUSED_ON_PAGES } from '../scrape/parse-v2-scrape.js';

const FIELD = 'options';
const RULES = {
  honoured: ['formats', 'onlyMainContent', 'removeBase64Images'],
  refused: REFUSED_ON_PAGES,
};

/** Checks the field `options` of an upload, which is JSON. @throws ApiError */
function checkParseOptions(fields: ReadonlyMap<string, string>, warnings: Warnings): void {
  for (const name of fields.keys()) if (name !== FIELD) warnings.ignore(name);
  const text = fields.get(FIELD);
  if (text === undefined || text === '') return;
  const options = readOptions(optionsOf(text), RULES, warnings);
  requireMarkdown(options['formats'], 'formats', warnings);
  // A document file is all main content, and its images are left out.
  booleanOption(options['onlyMainContent'], 'onlyMainContent');
  booleanOption(options['removeBase64Images'], 'removeBase64Images');
}

function optionsOf(text: string): V2Fields {
  const problem = structureProblem(text);
  if (problem !== null) throw invalidRequest(problem);
  const value = jsonOf(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as V2Fields;
  throw invalidRequest('`options` must be a JSON object');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidRequest('`options` must be a JSON object');
  }
}

@ApiTags('v2')
@Controller('v2/parse')
export class V2ParseController {
  constructor(private readonly parses: ParseService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Convert an uploaded document file to Markdown (compatibility set)',
    operationId: 'parseCompatible',
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: { $ref: getSchemaPath(V2ParseUpload) } } },
    },
  })
  @ApiExtraModels(V2ParseUpload)
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: V2ScrapeResult })
  @RequiresV2Key(
    { kind: 'waits', takesForm: true, isCompressed: true },
    ...CREDIT_ERRORS,
    'invalid_request',
    'file_required',
    'invalid_multipart',
    'unsupported_format',
    'unsupported_option',
    'unsupported_file',
    'file_unreadable',
    'docx_unavailable',
    'body_too_large',
    'scrape_unavailable',
    'draining',
  )
  async parse(
    @Req() request: FastifyRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    if (!request.isMultipart()) throw new ApiError('file_required');
    const warnings = new Warnings();
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { fileName, ...parsed } = await this.converted(request, call, warnings);
    setCreditHeaders(reply, parsed);
    const data = presentV2File(parsed.file, {
      ...{ fileName, credits: parsed.credits, scrapeId: work.requestId, warnings },
    });
    return { success: true, data, ...warningField(warnings) };
  }

  private async converted(
    request: FastifyRequest,
    call: ParseCall,
    warnings: Warnings,
  ): Promise<ParsedUpload & { readonly fileName: string }> {
    let fileName = '';
    const form = {
      outputs: (fields: ReadonlyMap<string, string>) => {
        checkParseOptions(fields, warnings);
        return { chunks: false };
      },
      named: (name: string) => {
        fileName = name;
      },
    };
    try {
      return { ...(await this.parses.convertUpload(request, call, form)), fileName };
    } catch (error) {
      throw isOtherType(error) ? new ApiError('unsupported_file', {}, { cause: error }) : error;
    }
  }
}

/** Under /v1 a file of another type is one without readable text. */
function isOtherType(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.code === 'file_unreadable' &&
    error.body['reason'] === 'unknown_kind'
  );
}
