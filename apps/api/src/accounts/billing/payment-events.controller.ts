import { Controller, Headers, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DocumentsErrors } from '../../http/documented.js';
import { StatesFacts } from '../../http/route-facts.js';
import { EventReceipt } from './billing.dto.js';
import { PaymentEventsService } from './payment-events.service.js';

@Controller('webhooks')
export class PaymentEventsController {
  constructor(private readonly events: PaymentEventsService) {}

  @Post('stripe')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Events of the payment provider',
    description:
      'For Stripe, not for clients: each request is signed. The response is sent once the event is stored; the event is applied shortly after. A repeated event changes nothing.',
    operationId: 'paymentEvent',
  })
  @ApiHeader({ name: 'stripe-signature', required: true, description: 'Time and signature.' })
  @ApiBody({
    description: "An event in Stripe's format.",
    schema: { type: 'object', additionalProperties: true },
  })
  @ApiOkResponse({ type: EventReceipt })
  @StatesFacts({ kind: 'immediate', isBodyRaw: true })
  @DocumentsErrors(
    'payment_event_invalid',
    'body_too_large',
    'unsupported_media_type',
    'billing_unavailable',
    'payment_event_unstored',
    'internal',
  )
  receive(
    @Req() { body }: FastifyRequest,
    @Headers('stripe-signature') signature: string | undefined,
  ): Promise<EventReceipt> {
    return this.events.receive(typeof body === 'string' ? body : '', signature);
  }
}
