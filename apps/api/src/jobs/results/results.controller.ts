import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiQuery } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { RequiresApiKey } from '../../http/documented.js';
import { invalidRequest } from '../../http/invalid-request.js';
import { LongAnswers } from '../../http/long-answers.js';
import { queryBoolean, queryNumber } from '../../http/query-values.js';
import { NDJSON, sendLines, wantsLines } from '../../http/send-lines.js';
import { sendFile } from '../../http/send-stream.js';
import { ResultsPage } from './results.dto.js';
import { ResultsService, type ResultRange } from './results.service.js';

const WARC = 'application/warc';
const FORMATS = ['json', 'ndjson', 'warc'] as const;
type Format = (typeof FORMATS)[number];

const DEFAULT_RESULTS = 20;
const MAX_RESULTS = 100;
const MAX_INTEGER = 2 ** 31 - 1;

interface RawResultsQuery {
  readonly cursor?: unknown;
  readonly limit?: unknown;
  readonly format?: unknown;
}

/** Of requests for what changed. */
export const DIFF_QUERY = {
  name: 'diff',
  required: false,
  description:
    'Of each page that has changed also `diff`, a unified diff of title and Markdown (null if they differ too much for one, by 300 lines or 20,000 characters), and `changed_lines`. Both are null if the earlier crawl keeps no Markdown of the page.',
  schema: { type: 'boolean', default: false },
} as const;

const RESULTS_ERRORS = [
  'job_not_found',
  'results_expired',
  'invalid_request',
  'results_unavailable',
  'too_many_answers',
  'answers_unavailable',
] as const;

@Controller('v1/crawl/:id')
export class ResultsController {
  constructor(
    private readonly results: ResultsService,
    private readonly answers: LongAnswers,
  ) {}

  @Get('results')
  @ApiOperation({
    summary: 'Page results of a crawl, also while it runs',
    description: `Paged by cursor; with \`Accept: ${NDJSON}\` streamed, one per line, as gzip if accepted; as a web archive with \`format=warc\`.`,
    operationId: 'getCrawlResults',
  })
  @ApiQuery({
    name: 'cursor',
    required: false,
    description: 'The `next` of the previous page: the number of page results to skip.',
    schema: { type: 'integer', minimum: 0, maximum: MAX_INTEGER },
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    description: 'For NDJSON the default is all, and there is no maximum.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_RESULTS, default: DEFAULT_RESULTS },
  })
  @ApiQuery({
    name: 'format',
    required: false,
    enum: FORMATS,
    description:
      'Takes precedence over `Accept`. `warc`: ISO 28500:2017, a gzip member for each record.',
  })
  @ApiProduces('application/json', NDJSON, WARC)
  @ApiOkResponse({ type: ResultsPage })
  @RequiresApiKey({ kind: 'immediate', isCompressed: true }, ...RESULTS_ERRORS)
  async read(
    @Param('id') id: string,
    @Query() query: RawResultsQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('accept-encoding') acceptEncoding: string | undefined,
    @CurrentTenant() tenant: Tenant,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    switch (formatOf(query, accept)) {
      case 'warc':
        return this.sendArchive(reply, tenant, id);
      case 'ndjson': {
        const lines = await this.results.lines(tenant, id, rangeOf(query, true));
        this.answers.hold(reply, tenant.id);
        return sendLines(reply, lines, acceptEncoding);
      }
      case 'json':
        reply.header('vary', 'accept');
        await reply.send(await this.results.page(tenant, id, rangeOf(query, false)));
    }
  }

  @Get('changes')
  @ApiOperation({
    summary: 'What a crawl changes in a copy of the site, as JSON lines',
    description:
      'A line for each page that is new or has changed (`op` upsert, with its `result`), then one for each that is gone (`op` delete, with its `reason`, and where it leads to as `moved_to`). The `id` of a page is the same in every crawl. Of a crawl without `since`: all pages.',
    operationId: 'getCrawlChanges',
  })
  @ApiQuery(DIFF_QUERY)
  @ApiProduces(NDJSON)
  @ApiOkResponse({ schema: { type: 'string' } })
  @RequiresApiKey({ kind: 'immediate', isCompressed: true }, ...RESULTS_ERRORS)
  async changes(
    @Param('id') id: string,
    @Query('diff') diff: unknown,
    @Headers('accept-encoding') acceptEncoding: string | undefined,
    @CurrentTenant() tenant: Tenant,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await this.results.changes(tenant, id, queryBoolean('diff', diff));
    this.answers.hold(reply, tenant.id);
    await sendLines(reply, lines, acceptEncoding);
  }

  private async sendArchive(reply: FastifyReply, tenant: Tenant, id: string): Promise<void> {
    const { fileName, bytes } = await this.results.archive(tenant, id);
    this.answers.hold(reply, tenant.id);
    await sendFile(reply, bytes, { contentType: WARC, fileName });
  }
}

function formatOf({ format }: RawResultsQuery, accept: string | undefined): Format {
  if (format === undefined) return wantsLines(accept) ? 'ndjson' : 'json';
  const known = FORMATS.find((one) => one === format);
  if (known === undefined) throw invalidRequest(`\`format\` must be one of ${FORMATS.join(', ')}`);
  return known;
}

function rangeOf({ cursor, limit }: RawResultsQuery, isStream: boolean): ResultRange {
  const bounds = isStream
    ? { fallback: MAX_INTEGER, min: 1, max: MAX_INTEGER }
    : { fallback: DEFAULT_RESULTS, min: 1, max: MAX_RESULTS };
  return {
    most: queryNumber('limit', limit, bounds),
    after: queryNumber('cursor', cursor, { fallback: 0, min: 0, max: MAX_INTEGER }),
  };
}
