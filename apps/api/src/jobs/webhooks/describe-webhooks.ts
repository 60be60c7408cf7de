import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { EventBody } from './event.dto.js';

const HEADERS = {
  'webhook-id': 'Id of the delivery, the same at every attempt; use it to detect duplicates.',
  'webhook-timestamp': 'Time of the attempt, in seconds since 1970.',
  'webhook-signature':
    'Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over id.timestamp.body; during a rotation of the secret several, separated by spaces.',
};

/** Webhooks of the service (OpenAPI 3.1: webhooks). The schema is named by `ApiExtraModels`. */
export const OPENAPI_WEBHOOKS: NonNullable<OpenAPIObject['webhooks']> = {
  jobEnded: {
    post: {
      operationId: 'jobEnded',
      summary: 'A job with a `webhook` ended',
      // Authenticated by its signature.
      security: [],
      description:
        'Sent at least once. Any response but a 2xx in time is retried for three days; redirects are not followed; 410 disables the URL.',
      parameters: Object.entries(HEADERS).map(([name, description]) => ({
        name,
        in: 'header' as const,
        required: true,
        description,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: getSchemaPath(EventBody) } } },
      },
      responses: { '2XX': { description: 'Received.' } },
    },
  },
};
