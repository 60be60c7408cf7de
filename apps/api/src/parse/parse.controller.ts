import { Controller, HttpCode, Post, Req, Res, Module } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant, ChargeIds } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { clientGone } from '../http/client-gone.js';
import { CREDIT_ERRORS, RequiresApiKey, TARGET_BODY_ERRORS } from '../http/documented.js';
import { CurrentCharge } from '../http/idempotency/claimed-requests.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../accounts/credits/set-credit-headers.js';
import { parseBody } from '../http/validation.pipe.js';
import { ParseRequest, ParseResult, ParseUpload } from './parse.dto.js';
import { ParseService, type ParseAnswer, type ParseCall } from './parse.service.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';

@Controller('v1/parse')
class ParseController {
  constructor(private readonly parses: ParseService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Convert a document file (PDF, Office, OpenDocument, EPUB, RTF, mail, CSV, Markdown) to Markdown, text and chunks, from an upload or a URL',
    operationId: 'parse',
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ParseRequest) } },
        'multipart/form-data': { schema: { $ref: getSchemaPath(ParseUpload) } },
      },
    },
  })
  @ApiExtraModels(ParseRequest, ParseUpload)
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: ParseResult })
  @RequiresApiKey(
    { kind: 'waits', takesForm: true, isCompressed: true },
    ...TARGET_BODY_ERRORS,
    ...CREDIT_ERRORS,
    'file_required',
    'invalid_multipart',
    'fetch_failed',
    'file_unreadable',
    'docx_unavailable',
    'scrape_unavailable',
    'draining',
    'browser_unavailable',
  )
  async parse(
    @Req() request: FastifyRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ParseResult> {
    const { result, ...spent } = await this.answer(request, {
      tenant,
      ...work,
      signal: clientGone(reply),
    });
    setCreditHeaders(reply, spent);
    return result;
  }

  /** Without a body parameter: a form is read as it streams in. */
  private async answer(request: FastifyRequest, call: ParseCall): Promise<ParseAnswer> {
    if (request.isMultipart()) return this.parses.parseUpload(request, call);
    return this.parses.parseUrl(await parseBody(ParseRequest, request.body), call);
  }
}

@Module({
  imports: [FetchersModule],
  controllers: [ParseController],
  providers: [ParseService],
  exports: [ParseService],
})
export class ParseModule {}
