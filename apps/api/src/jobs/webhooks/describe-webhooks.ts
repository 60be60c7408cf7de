import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { FeedPausedEvent, FeedRowsEvent } from '../../feeds/feed-event.dto.js';
import { EventBody } from './event.dto.js';

const HEADERS = {
  'webhook-id': 'Id of the delivery, the same at every attempt; use it to detect duplicates.',
  'webhook-timestamp': 'Time of the attempt, in seconds since 1970.',
  'webhook-signature':
    'Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over id.timestamp.body; during a rotation of the secret several, separated by spaces.',
};

type Webhooks = NonNullable<OpenAPIObject['webhooks']>;

/** Bodies of webhooks: no operation names them. */
export const EVENT_BODIES = [EventBody, FeedRowsEvent, FeedPausedEvent];

/** Webhooks of the service (OpenAPI 3.1: webhooks). The schemas are named by `ApiExtraModels`. */
export const OPENAPI_WEBHOOKS: Webhooks = {
  ...webhook('jobEnded', 'A job with a `webhook` ended', EventBody),
  ...webhook('feedRows', 'A feed with a `webhookUrl` has new rows', FeedRowsEvent),
  ...webhook('feedPaused', 'A feed with a `webhookUrl` paused itself', FeedPausedEvent),
};

function webhook(
  operationId: string,
  summary: string,
  body: (typeof EVENT_BODIES)[number],
): Webhooks {
  const post = {
    operationId,
    summary,
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
      content: { 'application/json': { schema: { $ref: getSchemaPath(body) } } },
    },
    responses: { '2XX': { description: 'Received.' } },
  };
  return { [operationId]: { post } };
}
