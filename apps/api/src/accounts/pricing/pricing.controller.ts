import { Controller, Get } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { RequiresApiKey } from '../../http/documented.js';
import { presentPlans, presentPrices } from './present-pricing.js';
import { PricingView } from './pricing.dto.js';

@Controller('v1/pricing')
export class PricingController {
  constructor(private readonly host: HttpAdapterHost) {}

  @Get()
  @ApiOperation({
    summary: 'Plans, and the price of each endpoint in credits',
    operationId: 'getPricing',
  })
  @ApiOkResponse({ type: PricingView })
  @RequiresApiKey({ kind: 'immediate', isCompressed: true })
  pricing(): PricingView {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const isServed = (url: string): boolean => fastify.hasRoute({ method: 'POST', url });
    return { currency: 'USD', plans: presentPlans(isServed), endpoints: presentPrices(isServed) };
  }
}
