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
    summary: 'Delete all of your stored data',
    description:
      'Deletes jobs with their results and webhooks, cached pages, screenshots, responses stored for idempotency keys, and company data that your requests read. Running jobs are cancelled. Your keys, webhook secrets and the credit ledger stay. A repeated call extends a running deletion to the current time.',
    operationId: 'deleteData',
  })
  @ApiResponse({ status: 202, type: DeletionView })
  @RequiresApiKey('immediate')
  erase(@CurrentTenant() tenant: Tenant): Promise<DeletionView> {
    return this.data.erase(tenant);
  }

  @Get('deletions/:id')
  @ApiOperation({ summary: 'Get the progress of a deletion', operationId: 'getDeletion' })
  @ApiOkResponse({ type: DeletionView })
  @RequiresApiKey('polls', 'deletion_not_found')
  view(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<DeletionView> {
    return this.data.view(tenant, id);
  }
}
