import { ApiProperty } from '@nestjs/swagger';
import { SOLD_PLANS } from '@app/config';
import { LEGACY_PLANS } from '@app/contracts';
import { MAX_REQUEST_URL_CHARS, ParsedField } from '../../http/fields.js';

const PLAN_NAMES = [...new Set(SOLD_PLANS.flatMap((plan) => [plan, LEGACY_PLANS[plan]]))];

/** Body of POST /v1/billing/checkout. */
export class CheckoutRequest {
  @ParsedField({
    required: true,
    description: 'The plan to buy, by its public or its legacy name.',
    schema: { type: 'string', enum: PLAN_NAMES },
    example: 'pro',
  })
  plan: string;

  @ParsedField({
    required: true,
    description:
      'The browser is redirected here after the payment; `{CHECKOUT_SESSION_ID}` is replaced. If the operator configured an allowlist of origins, this origin must be on it.',
    schema: {
      type: 'string',
      format: 'uri',
      pattern: '^https?://',
      maxLength: MAX_REQUEST_URL_CHARS,
    },
    example: 'https://app.example.com/paid',
  })
  successUrl: string;

  @ParsedField({
    required: true,
    description: 'The browser is redirected here if the payment is cancelled.',
    schema: {
      type: 'string',
      format: 'uri',
      pattern: '^https?://',
      maxLength: MAX_REQUEST_URL_CHARS,
    },
    example: 'https://app.example.com/plans',
  })
  cancelUrl: string;
}

/** A page of the payment provider. */
export class HostedPage {
  @ApiProperty({
    format: 'uri',
    description: 'Open it in a browser. It is valid for one user and a short time.',
    example: 'https://checkout.stripe.com/c/pay/cs_test_a1B2',
  })
  url: string;
}

/** Response to an event. */
export class EventReceipt {
  @ApiProperty({
    enum: [true],
    description: 'The event is stored, was stored before, or needs no action.',
  })
  received: boolean;
}
