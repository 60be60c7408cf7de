import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { clientGone } from '../../http/client-gone.js';
import { RequiresApiKey } from '../../http/documented.js';
import { PageSearchAnswer } from './page-search.dto.js';
import {
  PageSearchService,
  DEFAULT_FOUND_PAGES,
  MAX_FOUND_PAGES,
  MAX_FOUND_PASSAGES,
  MAX_READ_PAGES,
  MAX_PAGE_QUERY_CHARS,
  type RawPageSearch,
} from './page-search.service.js';

@Controller('v1/crawl/:id/search')
export class PageSearchController {
  constructor(private readonly searches: PageSearchService) {}

  @Get()
  @ApiOperation({
    summary: 'Search the stored pages of a job, also while it runs',
    description:
      'Full text search of a crawl or an async batch that was started with `index: true`. Best matches first, paged by cursor.',
    operationId: 'searchCrawl',
  })
  @ApiQuery({
    name: 'q',
    required: true,
    description:
      'Pages with all of the words. `"…"`: these words in this order; `or`: one of the words beside it; `-word`: pages without it.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_PAGE_QUERY_CHARS,
      example: '"quick start" -windows',
    },
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_FOUND_PAGES,
      default: DEFAULT_FOUND_PAGES,
    },
  })
  @ApiQuery({
    name: 'passages',
    required: false,
    description: `Of each page so many parts of its Markdown that have the words; \`limit\` is then at most ${MAX_READ_PAGES}.`,
    schema: { type: 'integer', minimum: 1, maximum: MAX_FOUND_PASSAGES },
  })
  @ApiQuery({
    name: 'cursor',
    required: false,
    description: 'The `next` of the previous page, for the same `q`.',
    schema: { type: 'string', pattern: '^[0-9a-f]{40}$' },
  })
  @ApiOkResponse({ type: PageSearchAnswer })
  @RequiresApiKey(
    { kind: 'immediate', isCompressed: true },
    'job_not_found',
    'results_expired',
    'invalid_request',
    'job_not_indexed',
    'job_search_timeout',
    'job_search_busy',
    ...(['scrape_unavailable', 'draining'] as const),
  )
  search(
    @Param('id') id: string,
    @Query() query: RawPageSearch,
    @CurrentTenant() tenant: Tenant,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageSearchAnswer> {
    return this.searches.search(tenant, id, query, clientGone(reply));
  }
}
