import type { OpenAPIObject } from '@nestjs/swagger';
import { API_ERRORS, type ApiErrorCode } from '@app/contracts';
import { ERROR_TEXT } from '../../http/describe-errors.js';
import { TEXT_SEPARATOR } from '../../public/documented-operations.js';
import { factsIn } from '../../http/route-facts.js';
import { MAX_PAYMENT_CHARS } from './read-payment.js';

const TEXT = { type: 'string' as const };
const REFUSED: readonly ApiErrorCode[] = [
  'payment_offered',
  'payment_refused',
  'payment_used',
  'payment_unsettled',
  'payment_unreadable',
  'payments_unavailable',
];
const ERROR = { $ref: '#/components/schemas/Error' };
const OFFER = { $ref: '#/components/schemas/PaymentRequired' };

/** x402 version 2, chapter 5.1. */
const PAYMENT_REQUIRED = {
  type: 'object' as const,
  required: ['x402Version', 'error', 'resource', 'accepts'],
  properties: {
    x402Version: { type: 'integer' as const, enum: [2], description: 'Version of the convention' },
    error: ERROR_TEXT,
    resource: {
      type: 'object' as const,
      description: 'The paid resource',
      required: ['url'],
      properties: {
        url: { ...TEXT, description: 'URL of this endpoint' },
        description: { ...TEXT, description: 'What it gives' },
        mimeType: { ...TEXT, description: 'Media type of its response' },
      },
    },
    accepts: {
      type: 'array' as const,
      description: 'Payment terms; the client signs one of them',
      items: {
        type: 'object' as const,
        required: ['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds'],
        properties: {
          scheme: { ...TEXT, enum: ['exact'], description: 'Pays exactly the amount, once' },
          network: { ...TEXT, description: 'Network in CAIP-2 format' },
          amount: { ...TEXT, description: 'In the smallest units of the asset' },
          asset: { ...TEXT, description: 'Contract address of the token' },
          payTo: { ...TEXT, description: 'Who is paid' },
          maxTimeoutSeconds: {
            type: 'integer' as const,
            description: 'Seconds that the authorization must be valid',
          },
          extra: { type: 'object' as const, description: 'Further parameters of the scheme' },
        },
      },
    },
  },
};

const PARAMETERS = [
  {
    name: 'PAYMENT-SIGNATURE',
    in: 'header' as const,
    required: false,
    description:
      'Instead of a key: base64 of the JSON of a signed x402 payment (version 2) for one of `accepts` of the 402. `X-PAYMENT` is accepted too. The payment is settled only if the call returned data.',
    schema: { ...TEXT, maxLength: MAX_PAYMENT_CHARS },
  },
];

interface Response {
  description?: string;
  content?: object;
  headers?: object;
}

interface Operation {
  parameters?: object[];
  responses: Record<string, Response>;
}

/** Documents pay per call on the operations that accept payments. */
export function documentPayments(document: OpenAPIObject): void {
  const schemas = { ...document.components?.schemas, PaymentRequired: PAYMENT_REQUIRED };
  document.components = { ...document.components, schemas };
  const paths = document.paths as unknown as Readonly<Record<string, Record<string, Operation>>>;
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path)))
    if (factsIn(operation)?.price) documentPayment(operation);
}

function documentPayment(operation: Operation): void {
  operation.parameters = [...(operation.parameters ?? []), ...PARAMETERS];
  for (const code of REFUSED) documentError(operation, code);
  const { responses } = operation;
  const { 200: done, 402: paymentRequired } = responses;
  responses['402'] = {
    ...paymentRequired,
    content: { 'application/json': { schema: { anyOf: [OFFER, ERROR] } } },
    headers: {
      ...paymentRequired?.headers,
      ...headerOf('PAYMENT-REQUIRED', 'The body, base64-encoded.'),
    },
  };
  const settled = headerOf('PAYMENT-RESPONSE', 'Settlement of a paid call: base64 of JSON.');
  responses['200'] = { ...done, headers: { ...done?.headers, ...settled } };
}

function documentError({ responses }: Operation, code: ApiErrorCode): void {
  const { status, text } = API_ERRORS[code];
  const known: Response = responses[status] ?? {
    content: { 'application/json': { schema: ERROR } },
  };
  const texts = [...(known.description === undefined ? [] : [known.description]), text];
  responses[status] = { ...known, description: texts.join(TEXT_SEPARATOR) };
}

function headerOf(name: string, description: string): object {
  return { [name]: { description, schema: TEXT } };
}
