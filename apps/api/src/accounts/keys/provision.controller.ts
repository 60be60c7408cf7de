import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DocumentsErrors } from '../../http/documented.js';
import { StatesFacts } from '../../http/route-facts.js';
import { ProvisionedKey, ProvisionRequest } from './key.dto.js';
import { parseOptionalBody } from './parse-optional-body.js';
import { ProvisionService } from './provision.service.js';

/** The one route under /v1 that needs no key: see `requireKey`. */
@Controller('v1/keys/provision')
export class ProvisionController {
  constructor(private readonly provisioning: ProvisionService) {}

  @Post()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Create an account and a key without signing in',
    description:
      'Creates an account on the free tier with one key, which is shown only in this response. Limited within 24 hours per IP address (`PROVISION_PER_IP_PER_DAY`) and per network (four times as many).',
    operationId: 'provisionKey',
    security: [],
  })
  @ApiBody({ type: ProvisionRequest, required: false })
  @ApiResponse({ status: 201, type: ProvisionedKey })
  @StatesFacts({ kind: 'immediate', isOpen: true, isBodyOptional: true, isShownOnce: true })
  @DocumentsErrors(
    'invalid_json',
    'invalid_request',
    'idempotency_key_refused',
    'body_too_large',
    'unsupported_media_type',
    'provision_disabled',
    'provision_limited',
    'provision_network_limited',
    'auth_unavailable',
    'internal',
  )
  async provision(@Req() request: FastifyRequest): Promise<ProvisionedKey> {
    this.provisioning.requireEnabled();
    const body = await parseOptionalBody(ProvisionRequest, request);
    return this.provisioning.provision(request, body);
  }
}
