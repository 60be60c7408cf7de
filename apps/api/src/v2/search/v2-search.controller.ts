import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ChargeIds, Tenant } from '@app/accounts';
import { ApiError } from '@app/contracts';
import { SEARCH_CATEGORIES } from '@app/search';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../../accounts/credits/set-credit-headers.js';
import { clientGone } from '../../http/client-gone.js';
import { CREDIT_ERRORS, RequiresV2Key } from '../../http/documented.js';
import { CurrentCharge } from '../../http/idempotency/claimed-requests.js';
import { SearchRequest, type SearchResultItem, SEARCH_MEDIA } from '../../search/search.dto.js';
import { SearchService } from '../../search/search.service.js';
import {
  arrayOption,
  integerOption,
  isOn,
  objectOption,
  readOptions,
  type V2Fields,
} from '../options/read-options.js';
import { V2Body } from '../options/v2-body.js';
import { Warnings, warningField } from '../options/warnings.js';
import { V2SearchBody, V2SearchResult } from './v2-search.dto.js';
import { parseBody } from '../../http/validation.pipe.js';
import { invalidRequest } from '../../http/invalid-request.js';
import { requireMarkdown } from '../options/formats.js';
import { REFUSED_ON_PAGES } from '../scrape/parse-v2-scrape.js';

const MAX_LIMIT = 100;
const MAX_NAMES = 20;

/** Fields that POST /v1/search has too, with the same rules. An empty value requests nothing. */
const SAME_FIELDS = ['query', 'limit', 'tbs', 'country', 'includeDomains', 'excludeDomains'];
const RULES = { honoured: [...SAME_FIELDS, 'categories', 'sources', 'scrapeOptions'] };

/** A search of /v2 in the terms of POST /v1/search. */
interface V2Search {
  readonly request: SearchRequest;
  /** Sources that are not searched. */
  readonly unsupported: readonly string[];
}

/** @throws ApiError */
export async function parseV2Search(body: V2Fields, warnings: Warnings): Promise<V2Search> {
  const options = readOptions(body, RULES, warnings);
  integerOption(options['limit'], 'limit', { min: 1, max: MAX_LIMIT });
  const categories = namesOf(options['categories'], {
    name: 'categories',
    known: SEARCH_CATEGORIES,
    warnings,
  });
  const sources = namesOf(options['sources'], { name: 'sources', known: SEARCH_MEDIA, warnings });
  const same = SAME_FIELDS.filter((name) => name === 'query' || options[name] !== '');
  const request = await parseBody(SearchRequest, {
    ...Object.fromEntries(same.map((name) => [name, options[name]])),
    ...(categories.length > 0 ? { categories } : {}),
    ...scrapeFields(options['scrapeOptions'], warnings),
  });
  return { request, unsupported: sources.filter((source) => source !== 'web') };
}

/** Names, or objects with a `type`. Unknown ones are ignored and named. */
function namesOf<Name extends string>(
  value: unknown,
  { name, known, warnings }: { name: string; known: readonly Name[]; warnings: Warnings },
): Name[] {
  if (!isOn(value)) return [];
  const found = arrayOption(value, name, MAX_NAMES).flatMap((entry) => {
    const { type, ...options } =
      typeof entry === 'string' ? { type: entry } : (objectOption(entry, `${name}[]`) as V2Fields);
    if (typeof type !== 'string')
      throw invalidRequest(`\`${name}\` must hold names, or objects with a \`type\``);
    readOptions(options, { honoured: [], at: `${name}.` }, warnings);
    const one = known.find((each) => each === type);
    if (one === undefined) warnings.ignore(type, `${name}.`);
    return one === undefined ? [] : [one];
  });
  return [...new Set(found)];
}

/** Missing or empty formats request no scrape. */
function scrapeFields(
  value: unknown,
  warnings: Warnings,
): Pick<SearchRequest, 'scrapeResults'> & { readonly maxAge?: unknown } {
  const rules = { honoured: HONOURED, refused: REFUSED_ON_PAGES, at: 'scrapeOptions.' };
  const sent = objectOption(value, 'scrapeOptions');
  const { formats, actions, maxAge } = readOptions(sent, rules, warnings);
  if (isOn(actions)) {
    const problem = '`scrapeOptions.actions` do not run on search results';
    throw new ApiError('unsupported_action', { problem });
  }
  requireMarkdown(formats, 'scrapeOptions.formats', warnings);
  return isOn(formats)
    ? { scrapeResults: true, ...(maxAge === undefined ? {} : { maxAge }) }
    : { scrapeResults: false };
}

/** The last two describe what a search does with every page. */
const HONOURED = ['formats', 'actions', 'maxAge', 'onlyMainContent', 'removeBase64Images'];

@ApiTags('v2')
@Controller('v2/search')
export class V2SearchController {
  constructor(private readonly searches: SearchService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Search the web (compatibility set)',
    operationId: 'searchCompatible',
  })
  @ApiBody({ type: V2SearchBody })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: V2SearchResult })
  @RequiresV2Key(
    { kind: 'waits', isCompressed: true },
    ...CREDIT_ERRORS,
    'query_required',
    'invalid_request',
    'unsupported_format',
    'unsupported_action',
    'unsupported_option',
    'search_not_in_plan',
    'search_refused',
    'search_unavailable',
    'scrape_unavailable',
    'draining',
  )
  async search(
    @V2Body() body: V2Fields,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<V2SearchResult> {
    const warnings = new Warnings();
    const { request, unsupported } = await parseV2Search(body, warnings);
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { result, ...spent } = await this.searches.search(request, call);
    setCreditHeaders(reply, spent);
    return {
      success: true,
      id: work.requestId,
      data: { web: result.results.map(presentWebResult) },
      ...(unsupported.length > 0 ? { unsupported: [...unsupported] } : {}),
      creditsUsed: spent.credits,
      ...warningField(warnings),
    };
  }
}

/** `markdown` is absent where there is none: clients read null as a text. */
function presentWebResult({
  url,
  title,
  snippet,
  position,
  markdown,
}: SearchResultItem): V2SearchResult['data']['web'][number] {
  return { url, title, description: snippet, position, ...(markdown === null ? {} : { markdown }) };
}
