import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { EventBody } from './event.dto.js';

const HEADERS = {
  'webhook-id': 'Id of the delivery, the same at every attempt: tells repeats.',
  'webhook-timestamp': 'Seconds since 1970 at which the attempt was made.',
  'webhook-signature':
    'Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over id.timestamp.body; during a rotation of the secret several, separated by spaces.',
};

/** What is sent on our own account (OpenAPI 3.1: webhooks). The schema is named by `ApiExtraModels`. */
export const WEBHOOKS: NonNullable<OpenAPIObject['webhooks']> = {
  jobEnded: {
    post: {
      operationId: 'jobEnded',
      summary: 'A job with a `webhook` has ended',
      // Authenticated by its signature.
      security: [],
      description:
        'Sent at least once. Anything but a 2xx within the time is tried again for three days; 3xx is not followed; 410 disables the address.',
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
