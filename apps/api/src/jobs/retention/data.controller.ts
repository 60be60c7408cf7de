import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { RequiresApiKey } from '../../http/documented.js';
import { DeletionView } from './data.dto.js';
import { DataService } from './data.service.js';

@Controller('v1/data')
export class DataController {
  constructor(private readonly data: DataService) {}

  @Delete()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Delete everything kept of you until now',
    description:
      'Jobs with their results and webhooks, cached pages, screenshots, answers kept for idempotency keys and what your requests read of companies; running jobs are cancelled. Your keys, webhook secrets and what was charged stay. Asked for again while it runs it is the same deletion, until then.',
    operationId: 'deleteData',
  })
  @ApiResponse({ status: 202, type: DeletionView })
  @RequiresApiKey()
  erase(@CurrentTenant() tenant: Tenant): Promise<DeletionView> {
    return this.data.erase(tenant);
  }

  @Get('deletions/:id')
  @ApiOperation({ summary: 'How far a deletion has come', operationId: 'getDeletion' })
  @ApiOkResponse({ type: DeletionView })
  @RequiresApiKey('deletion_not_found')
  view(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<DeletionView> {
    return this.data.view(tenant, id);
  }
}
