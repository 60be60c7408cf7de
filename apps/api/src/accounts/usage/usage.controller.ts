import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../auth/require-key.js';
import { RequiresApiKey } from '../../http/documented.js';
import { UsageRecord } from './usage.dto.js';
import { UsageService } from './usage.service.js';

@Controller('v1')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('usage')
  @ApiOperation({
    summary: 'Your usage this month',
    description: 'The month is the calendar month, UTC. A new account shows zeros.',
    operationId: 'getUsage',
  })
  @ApiOkResponse({ type: UsageRecord })
  @RequiresApiKey('immediate', 'tenant_not_found')
  read(@CurrentTenant() tenant: Tenant): Promise<UsageRecord> {
    return this.usage.read(tenant);
  }

  @Get('billing/usage')
  @ApiOperation({
    summary: 'Your usage this month',
    description: 'The same as GET /v1/usage.',
    operationId: 'getBillingUsage',
  })
  @ApiOkResponse({ type: UsageRecord })
  @RequiresApiKey('immediate', 'tenant_not_found')
  readForBilling(@CurrentTenant() tenant: Tenant): Promise<UsageRecord> {
    return this.usage.read(tenant);
  }
}
