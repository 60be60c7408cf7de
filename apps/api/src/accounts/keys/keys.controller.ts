import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../auth/require-key.js';
import { RequiresApiKey } from '../../http/documented.js';
import {
  KeyList,
  NewKeyRequest,
  NewKeyView,
  RevokedKeyView,
  RotatedKeyView,
  RotateKeyRequest,
} from './key.dto.js';
import { KeysService } from './keys.service.js';
import { parseOptionalBody } from './parse-optional-body.js';

const BODY_REFUSALS = [
  'invalid_json',
  'invalid_request',
  'idempotency_key_refused',
  'body_too_large',
  'unsupported_media_type',
] as const;

@Controller('v1/keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @ApiOperation({ summary: 'List your keys and when each was last used', operationId: 'listKeys' })
  @ApiOkResponse({ type: KeyList })
  @RequiresApiKey('immediate')
  list(@CurrentTenant() tenant: Tenant): Promise<KeyList> {
    return this.keys.list(tenant);
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Create a key',
    description:
      'The key is shown only in this response. An account can have at most 50 active keys.',
    operationId: 'createKey',
  })
  @ApiBody({ type: NewKeyRequest })
  @ApiResponse({ status: 201, type: NewKeyView })
  @RequiresApiKey({ kind: 'immediate', isShownOnce: true }, ...BODY_REFUSALS, 'too_many_keys')
  create(@Body() body: NewKeyRequest, @CurrentTenant() tenant: Tenant): Promise<NewKeyView> {
    return this.keys.create(tenant, body);
  }

  @Post(':id/rotate')
  @HttpCode(201)
  @ApiOperation({
    summary: 'Rotate a key',
    description:
      'The new key has the label of the old one, which keeps working for `overlapSeconds` (default 24 hours, at most 7 days). Rotating the old key again in that time creates another successor and does not postpone its end. `DELETE /v1/keys/{id}` ends it sooner.',
    operationId: 'rotateKey',
  })
  @ApiBody({ type: RotateKeyRequest, required: false })
  @ApiResponse({ status: 201, type: RotatedKeyView })
  @RequiresApiKey(
    { kind: 'immediate', isShownOnce: true, isBodyOptional: true },
    ...BODY_REFUSALS,
    'key_not_found',
    'key_ended',
    'too_many_keys',
  )
  async rotate(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @CurrentTenant() tenant: Tenant,
  ): Promise<RotatedKeyView> {
    return this.keys.rotate(tenant, id, await parseOptionalBody(RotateKeyRequest, request));
  }

  @Delete(':id')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Revoke a key',
    description:
      'The key stops working at once, everywhere. Repeating the call changes nothing. You can also revoke the key of this request.',
    operationId: 'revokeKey',
  })
  @ApiOkResponse({ type: RevokedKeyView })
  @RequiresApiKey('immediate', 'key_not_found')
  revoke(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<RevokedKeyView> {
    return this.keys.revoke(tenant, id);
  }
}
