import type { OpenAPIObject } from '@nestjs/swagger';
import { API_ERRORS } from '@app/contracts';

const TEXT = { type: 'string' as const };

/** The agent envelope (specification: Errors). */
const AGENT_ERROR = {
  type: 'object' as const,
  additionalProperties: false,
  required: ['message', 'code', 'suggested_fix', 'request_id'],
  properties: {
    message: { ...TEXT, description: 'Human-readable message' },
    code: {
      ...TEXT,
      enum: Object.keys(API_ERRORS),
      description: 'Stable error code for programs',
    },
    suggested_fix: { ...TEXT, description: 'What to do next; depends on the code' },
    request_id: { ...TEXT, description: 'Same as the header x-request-id' },
  },
};

/** The `error` of a body. */
export const ERROR_TEXT = {
  anyOf: [TEXT, { $ref: '#/components/schemas/AgentError' }],
  description:
    'Human-readable message; an object with `X-Error-Format: agent`, and by default at endpoints for agents',
};

const ERROR = {
  type: 'object' as const,
  required: ['error'],
  properties: {
    error: ERROR_TEXT,
    hint: {
      type: 'string' as const,
      description: 'How to fix the request, such as the URL or field you probably meant',
    },
    ok: { type: 'boolean' as const, description: 'Present on some errors, value false' },
    status: {
      type: 'string' as const,
      description: '`failed` for a job that was not started',
    },
    limit: { type: 'integer' as const, description: '429: requests per minute of the plan' },
    tier: { type: 'string' as const, description: '429: the plan' },
    retryAfterSeconds: { type: 'integer' as const, description: '429: seconds until the next try' },
    balance: {
      type: 'integer' as const,
      description: '402: credits left for this operation',
    },
    required: { type: 'integer' as const, description: '402: credits the request needs' },
    url: { type: 'string' as const, description: '422 of a scrape: the URL' },
    statusCode: {
      type: 'integer' as const,
      description: '422 of a scrape: HTTP status of the page, if its site responded',
    },
    cascade: { type: 'object' as const, description: '422 of a scrape: the attempts made' },
    unblock: { type: 'object' as const, description: '422 of a scrape: the providers tried' },
    action: {
      type: 'object' as const,
      description: '422 of a scrape: index, type and reason of the action that failed',
    },
    reason: {
      type: 'string' as const,
      description: 'Documents and models: the reason, for programs',
    },
    message: { type: 'string' as const, description: 'The reason, for people' },
    invalidUrls: {
      type: 'array' as const,
      items: { type: 'string' as const },
      description: '400 of an extraction: the entries of `urls` that are not fetchable URLs',
    },
    metadata: {
      type: 'object' as const,
      description: 'Model usage of the failed call',
    },
  },
};

/** The error body under /v2 (specification: Errors). */
const V2_ERROR = {
  type: 'object' as const,
  required: ['success', 'error', 'code', 'details'],
  properties: {
    success: { type: 'boolean' as const, enum: [false] },
    error: { ...TEXT, description: 'Human-readable message' },
    code: { ...TEXT, description: 'For programs' },
    details: {
      description: 'Further fields of the error, such as balance and required of a 402',
      anyOf: [{ type: 'object' as const, additionalProperties: true }, { type: 'null' as const }],
    },
  },
};

export const ERROR_SCHEMAS = { Error: ERROR, AgentError: AGENT_ERROR, V2Error: V2_ERROR };

/** Content of the errors of a path. */
export function errorContentOf(path: string): Record<string, { schema: { $ref: string } }> {
  const name = path.startsWith('/v2/') ? 'V2Error' : 'Error';
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
}

const PARAMETER = {
  name: 'X-Error-Format',
  in: 'header' as const,
  required: false,
  description:
    '`agent`: `error` is an object with a code and a suggested fix, the default of the endpoints for agents (connectors, preview, pull, chat). Any other value: a text.',
  schema: TEXT,
};

/** Documents the header on every operation under /v1, by reference. */
export function documentErrorFormat(document: OpenAPIObject): void {
  const name = 'ErrorFormat';
  const parameters = { ...document.components?.parameters, [name]: PARAMETER };
  document.components = { ...document.components, parameters };
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith('/v1/')) continue;
    for (const operation of Object.values(item as Record<string, Operation>))
      operation.parameters = [
        ...(operation.parameters ?? []),
        { $ref: `#/components/parameters/${name}` },
      ];
  }
}

interface Operation {
  parameters?: unknown[];
}
