import { Body, Controller, Get, Headers, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant, ChargeIds } from '@app/accounts';
import type { ApiErrorCode } from '@app/contracts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { preferredType } from '../http/accept-type.js';
import { clientGone } from '../http/client-gone.js';
import { anyOf, CREDIT_ERRORS, RequiresApiKey, TARGET_BODY_ERRORS } from '../http/documented.js';
import { CurrentCharge } from '../http/idempotency/claimed-requests.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../accounts/credits/set-credit-headers.js';
import { parseScrapeQuery, ScrapeQuery } from './scrape-query.js';
import { ScrapeRequest } from './scrape.dto.js';
import { ScrapedFile, ScrapeResult } from './scrape-result.dto.js';
import { ScrapeService, type ScrapeCall } from './scrape.service.js';
import { MARKDOWN, MARKDOWN_HEADERS, markdownRequest, sendMarkdown } from './send-markdown.js';

const JSON_TYPE = 'application/json';
const ANSWER = {
  headers: { ...CREDIT_HEADERS, ...MARKDOWN_HEADERS },
  content: {
    [JSON_TYPE]: { schema: anyOf(ScrapeResult, ScrapedFile) },
    [MARKDOWN]: { schema: { type: 'string' } },
  },
} as const;

/** Of the page, whatever carries the request. */
const PAGE_ERRORS: readonly ApiErrorCode[] = [
  'not_cached',
  'fetch_failed',
  'file_unreadable',
  'docx_unavailable',
  'scrape_unavailable',
  'draining',
  'browser_unavailable',
];

@Controller('v1/scrape')
@ApiExtraModels(ScrapeResult, ScrapedFile)
export class ScrapeController {
  constructor(private readonly scrapes: ScrapeService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Fetch one page as Markdown, HTML, links, JSON, summary, branding or product',
    description: `With \`Accept: ${MARKDOWN}\` the response is the Markdown itself. Errors are JSON.`,
    operationId: 'scrape',
  })
  @ApiBody({ type: ScrapeRequest })
  @ApiOkResponse(ANSWER)
  @RequiresApiKey(
    ...TARGET_BODY_ERRORS,
    ...CREDIT_ERRORS,
    ...PAGE_ERRORS,
    'action_not_available',
    'llm_unavailable',
    'llm_schema',
  )
  async scrape(
    @Body() body: ScrapeRequest,
    @Headers('accept') accept: string | undefined,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ScrapeResult | ScrapedFile | string> {
    reply.header('vary', 'Accept');
    const call = { tenant, ...work, signal: clientGone(reply) };
    return preferredType(accept, [JSON_TYPE, MARKDOWN]) === MARKDOWN
      ? this.asMarkdown(body, call, reply)
      : this.asJson(body, call, reply);
  }

  @Get()
  @ApiOperation({
    summary: 'Fetch one page as Markdown',
    description: `The same as POST /v1/scrape, for clients that only have a URL. The response is the Markdown itself; with \`Accept: ${JSON_TYPE}\` it is that of POST. Errors are JSON. Percent-encode the value of \`url\`. Lists are separated by commas, or the parameter is repeated.`,
    operationId: 'scrapeUrl',
  })
  @ApiOkResponse(ANSWER)
  @RequiresApiKey(
    ...CREDIT_ERRORS,
    ...PAGE_ERRORS,
    'url_required',
    'invalid_url',
    'blocked_url',
    'invalid_request',
  )
  async scrapeUrl(
    @Query() query: ScrapeQuery,
    @Headers('accept') accept: string | undefined,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ScrapeResult | ScrapedFile | string> {
    reply.header('vary', 'Accept');
    const call = { tenant, ...work, signal: clientGone(reply) };
    const body = await parseScrapeQuery(query);
    return preferredType(accept, [MARKDOWN, JSON_TYPE]) === MARKDOWN
      ? this.asMarkdown(body, call, reply)
      : this.asJson(body, call, reply);
  }

  private async asJson(
    body: ScrapeRequest,
    call: ScrapeCall,
    reply: FastifyReply,
  ): Promise<ScrapeResult | ScrapedFile> {
    const { result, ...spent } = await this.scrapes.scrape(body, call);
    setCreditHeaders(reply, spent);
    return result;
  }

  private async asMarkdown(
    body: ScrapeRequest,
    call: ScrapeCall,
    reply: FastifyReply,
  ): Promise<string> {
    const { page, ...spent } = await this.scrapes.scrapePage(markdownRequest(body), call);
    setCreditHeaders(reply, spent);
    return sendMarkdown(reply, page);
  }
}
