import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type ChargeIds, type Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../accounts/credits/set-credit-headers.js';
import { BatchAccepted } from '../batch/batch.dto.js';
import { clientGone } from '../http/client-gone.js';
import { CREDIT_ERRORS, RequiresApiKey } from '../http/documented.js';
import { CurrentCharge } from '../http/idempotency/claimed-requests.js';
import { DirectoryRequest, DirectoryResult } from './directory.dto.js';
import { DirectoryService } from './directory.service.js';

@Controller('v1/scrapers/directory')
export class DirectoryController {
  constructor(private readonly directories: DirectoryService) {}

  @Post()
  @ApiOperation({
    summary: 'Listings of up to 500 known pages',
    description:
      'If one page fails, the others still succeed. A credit per page scraped. A list of more than ten pages per worker becomes a job: 202 with its id.',
    operationId: 'scrapeDirectory',
  })
  @ApiBody({ type: DirectoryRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: DirectoryResult })
  @ApiResponse({ status: 202, type: BatchAccepted, description: 'It runs as a job.' })
  @RequiresApiKey(
    { kind: 'waits', isCompressed: true },
    'invalid_json',
    'invalid_request',
    'invalid_urls',
    'body_too_large',
    'unsupported_media_type',
    ...CREDIT_ERRORS,
    'batch_unavailable',
    'draining',
  )
  async scrape(
    @Body() body: DirectoryRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DirectoryResult | BatchAccepted> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    const answer = await this.directories.scrape(body, call);
    if (answer.kind === 'job') {
      reply.status(202);
      return answer.accepted;
    }
    reply.status(200);
    setCreditHeaders(reply, answer);
    return answer.result;
  }
}
