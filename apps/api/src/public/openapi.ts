import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { documentIdempotency } from '../http/documented.js';
import { documentRateHeaders } from '../limits/describe-limits.js';
import { documentPayments } from '../pay-per-call/describe-payments.js';
import { WEBHOOKS } from '../webhooks/describe-webhooks.js';
import { completeOpenApi } from './complete-openapi.js';

/** Description version (specification: Versioning). */
const DESCRIPTION_VERSION = '0.1.0';

const ERROR_SCHEMA = {
  type: 'object' as const,
  required: ['error'],
  properties: {
    error: { type: 'string' as const, description: 'Human-readable message' },
    ok: { type: 'boolean' as const, description: 'Present on some errors, value false' },
    status: {
      type: 'string' as const,
      description: 'Of a job that was not started: `failed`',
    },
    limit: { type: 'integer' as const, description: '429: requests per minute of the plan' },
    tier: { type: 'string' as const, description: '429: the plan' },
    retryAfterSeconds: { type: 'integer' as const, description: '429: when to try again' },
    balance: { type: 'integer' as const, description: '402: credits that are left' },
    required: { type: 'integer' as const, description: '402: credits the request needs' },
    url: { type: 'string' as const, description: '422 of a scrape: the address' },
    cascade: { type: 'object' as const, description: '422 of a scrape: what was tried' },
    unblock: { type: 'object' as const, description: '422 of a scrape: providers that were tried' },
    action: {
      type: 'object' as const,
      description: '422 of a scrape: index, type and reason of the action that failed',
    },
    reason: { type: 'string' as const, description: 'Documents and models: why, for programs' },
    message: { type: 'string' as const, description: 'The same for people' },
    invalidUrls: {
      type: 'array' as const,
      items: { type: 'string' as const },
      description: '400 of an extraction: those of `urls` that are no address to fetch',
    },
    metadata: {
      type: 'object' as const,
      description: 'What the model used although there is no answer',
    },
  },
};

export interface Described {
  /** Whether some calls may be paid for one by one. */
  readonly isPaidByCall: boolean;
}

/** OpenAPI 3.1, generated from the controllers and DTOs. */
export function describeApi(
  app: NestFastifyApplication,
  { isPaidByCall }: Described,
): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Trawl')
    .setDescription('Web data over one HTTP API: scrape pages, crawl sites.')
    .setVersion(DESCRIPTION_VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-api-key' }, 'apiKey')
    .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'bearer')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Error: ERROR_SCHEMA },
  };
  document.webhooks = WEBHOOKS;
  documentIdempotency(document);
  if (isPaidByCall) documentPayments(document);
  completeOpenApi(document);
  documentRateHeaders(document);
  return document;
}
