import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { documentErrorFormat, ERROR_SCHEMAS } from '../http/describe-errors.js';
import { documentIdempotency } from '../http/documented.js';
import { documentRateHeaders } from '../accounts/limits/describe-limits.js';
import { documentPayments } from '../accounts/pay-per-call/describe-payments.js';
import { OPENAPI_WEBHOOKS } from '../jobs/webhooks/describe-webhooks.js';
import { completeOpenApi } from './complete-openapi.js';

/** Version of the API description (specification: Versioning). */
const DESCRIPTION_VERSION = '0.1.0';

export interface Described {
  /** Base URL of the service. */
  readonly publicUrl: string;
  /** Whether calls can be paid for one by one. */
  readonly isPaidByCall: boolean;
}

/** Builds the OpenAPI 3.1 document from the controllers and DTOs. */
export function describeApi(
  app: NestFastifyApplication,
  { publicUrl, isPaidByCall }: Described,
): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Trawl')
    .setDescription('Web data over one HTTP API: scrape pages, crawl sites.')
    .setVersion(DESCRIPTION_VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(publicUrl.replace(/(?<!\/)\/+$/, ''))
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-api-key' }, 'apiKey')
    .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'bearer')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...ERROR_SCHEMAS },
  };
  document.webhooks = OPENAPI_WEBHOOKS;
  documentIdempotency(document);
  if (isPaidByCall) documentPayments(document);
  completeOpenApi(document);
  documentRateHeaders(document);
  documentErrorFormat(document);
  return document;
}
