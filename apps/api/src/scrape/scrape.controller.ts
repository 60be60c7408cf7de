import { Body, Controller, Get, Headers, HttpCode, Post, Query, Res, Module } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation, PickType } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CREDIT_COSTS, type ChargeIds, type Tenant } from '@app/accounts';
import type { ApiErrorCode, PageDocument } from '@app/contracts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { preferredType } from '../http/accept-type.js';
import { clientGone } from '../http/client-gone.js';
import { anyOf, CREDIT_ERRORS, RequiresApiKey, TARGET_BODY_ERRORS } from '../http/documented.js';
import { CurrentCharge } from '../http/idempotency/claimed-requests.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../accounts/credits/set-credit-headers.js';
import { ScrapeRequest } from './scrape.dto.js';
import { ScrapedFile, ScrapeResult } from './scrape-result.dto.js';
import { ScrapeService, type ScrapeCall } from './scrape.service.js';
import { invalidRequest } from '../http/invalid-request.js';
import { partialReasonOf } from './present-scrape.js';
import { ParsedField } from '../http/fields.js';
import { parseBody } from '../http/validation.pipe.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';

const BOOLEANS = [
  'extractListing',
  'onlyMainContent',
  'removeBase64Images',
  'forceHeadless',
  'scroll',
  'preferMarkdown',
  'blockAds',
  'ignoreRobotsTxt',
] as const;
const NUMBERS = ['waitFor', 'maxAge', 'minAge', 'costCeiling', 'maxTokens'] as const;
const LISTS = ['includeTags', 'excludeTags'] as const;

/**
 * Parameters of GET /v1/scrape: the options of the body that fit into a URL. Cookies and headers do not: URLs are
 * logged.
 */
class ScrapeQuery extends PickType(ScrapeRequest, [
  'url',
  ...LISTS,
  ...BOOLEANS,
  ...NUMBERS,
  'linkStyle',
  'respectUse',
] as const) {
  @ParsedField({
    description: 'Two-letter code: as `location.country` of POST /v1/scrape.',
    schema: { type: 'string', pattern: '^[A-Za-z]{2}$' },
    example: 'DE',
  })
  country?: unknown;
}

/** The query as the body of a POST. @throws ApiError */
async function parseScrapeQuery(query: object): Promise<ScrapeRequest> {
  const fields = Object.fromEntries(
    Object.entries(query).map(([name, value]: [string, unknown]) => [name, fieldOf(name, value)]),
  );
  const { country, ...body } = await parseBody(ScrapeQuery, fields).catch(named);
  return Object.assign(new ScrapeRequest(), body, country == null ? {} : { location: { country } });
}

const has = (names: readonly string[], name: string): boolean => names.includes(name);

/** The value as the body has it; one of another type remains as it is, and its rule reports it. */
function fieldOf(name: string, value: unknown): unknown {
  if (has(LISTS, name)) return [value].flat().flatMap(entriesOf);
  if (Array.isArray(value)) throw invalidRequest(`\`${name}\` is given twice. Send it once`);
  if (has(BOOLEANS, name)) return value === 'true' || (value === 'false' ? false : value);
  if (has(NUMBERS, name) && typeof value === 'string' && /^\d{1,16}(?:\.\d{1,16})?$/.test(value))
    return Number(value);
  return value;
}

const entriesOf = (text: unknown): readonly string[] =>
  String(text)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** The usual cause of an unknown parameter is an address with a query of its own. */
function named(error: unknown): never {
  if (error instanceof Error && error.message.startsWith('Unknown field'))
    throw invalidRequest(
      `${error.message.replace('Unknown field', 'Unknown parameter').replace(/ See .*/, '')} Percent-encode the value of \`url\`: its own query would be read as parameters`,
    );
  throw error;
}

const MARKDOWN = 'text/markdown';
const MAX_TITLE_CHARS = 200;
const MAX_HEADER_URL_CHARS = 2_048;

/** Headers of a Markdown response, for the documentation. */
const MARKDOWN_HEADERS = {
  'X-Page-Url': {
    description: 'Markdown only: URL after redirects.',
    schema: { type: 'string' },
  },
  'X-Page-Title': {
    description: 'Markdown only: start of the title, percent-encoded UTF-8.',
    schema: { type: 'string' },
  },
  'X-Fetch-Method': {
    description: 'Markdown only: `metadata.fetchMethod`.',
    schema: { type: 'string' },
  },
  'X-Partial-Reason': {
    description: 'Markdown only: present if content is incomplete or blank: `partial_reason`.',
    schema: { type: 'string' },
  },
} as const;

/** The request whose response is the page's Markdown alone. @throws ApiError that names an output it would not have */
function markdownRequest(body: ScrapeRequest): ScrapeRequest {
  const other = body.formats?.find((format) => format !== 'markdown');
  if (other !== undefined)
    throw noOutput(`\`formats\` holds ${typeof other === 'string' ? other : other.type}`);
  if (body.includeHtml === true) throw noOutput('`includeHtml` is true');
  return { ...body, formats: ['markdown'], extractListing: false };
}

function noOutput(problem: string): Error {
  return invalidRequest(
    `${problem}, and the response was requested as ${MARKDOWN}, which has Markdown only. Leave it out, or send \`Accept: application/json\``,
  );
}

/** The page's Markdown; its metadata that matters is in headers, none of which a page can break. */
function sendMarkdown(reply: FastifyReply, page: PageDocument): string {
  const { url, metadata, fetchMethod, file } = page;
  const reason = partialReasonOf(page);
  const title = (file?.title ?? metadata.title ?? '').slice(0, MAX_TITLE_CHARS);
  const headers = {
    'content-type': `${MARKDOWN}; charset=utf-8`,
    'x-page-url': urlInHeader(url),
    'x-page-title': encodeURIComponent(title.toWellFormed()),
    'x-fetch-method': fetchMethod,
    'x-partial-reason': reason ?? '',
  };
  for (const [name, value] of Object.entries(headers)) if (value !== '') reply.header(name, value);
  return file?.markdown ?? page.markdown ?? '';
}

/** Serialised anew: printable ASCII, whatever the site redirected to. */
function urlInHeader(url: string): string {
  const address = URL.parse(url)?.href ?? '';
  return address.length > MAX_HEADER_URL_CHARS ? '' : address;
}

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
  'content_use_refused',
  'auth_expired',
  'profile_not_found',
  'profiles_unavailable',
  'file_unreadable',
  'docx_unavailable',
  'scrape_unavailable',
  'draining',
  'browser_unavailable',
];

const PRICE = { name: 'scrape', credits: CREDIT_COSTS.scrape } as const;

@Controller('v1/scrape')
@ApiExtraModels(ScrapeResult, ScrapedFile)
class ScrapeController {
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
    {
      kind: 'waits',
      isCompressed: true,
      price: { ...PRICE, description: 'One web page as Markdown, HTML, links, JSON or summary' },
    },
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
    {
      kind: 'waits',
      isCompressed: true,
      price: { ...PRICE, description: 'One web page as Markdown' },
    },
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

@Module({
  imports: [FetchersModule],
  controllers: [ScrapeController],
  providers: [ScrapeService],
  exports: [ScrapeService],
})
export class ScrapeModule {}
