import type { OpenAPIObject } from '@nestjs/swagger';
import { API_ERRORS } from '@app/contracts';

const TEXT = { type: 'string' as const };

/** The envelope of agents (specification: Errors). */
const AGENT_ERROR = {
  type: 'object' as const,
  additionalProperties: false,
  required: ['message', 'code', 'suggested_fix', 'request_id'],
  properties: {
    message: { ...TEXT, description: 'Human-readable message' },
    code: {
      ...TEXT,
      enum: Object.keys(API_ERRORS),
      description: 'What it is, for programs; stable',
    },
    suggested_fix: { ...TEXT, description: 'What to do next, by code' },
    request_id: { ...TEXT, description: 'As in the header x-request-id' },
  },
};

/** The `error` of a body. */
export const ERROR_TEXT = {
  anyOf: [TEXT, { $ref: '#/components/schemas/AgentError' }],
  description: 'Human-readable message; with `X-Error-Format: agent` an object',
};

const ERROR = {
  type: 'object' as const,
  required: ['error'],
  properties: {
    error: ERROR_TEXT,
    hint: {
      type: 'string' as const,
      description: 'What to do about it, such as the address or field that was probably meant',
    },
    ok: { type: 'boolean' as const, description: 'Present on some errors, value false' },
    status: {
      type: 'string' as const,
      description: 'Of a job that was not started: `failed`',
    },
    limit: { type: 'integer' as const, description: '429: requests per minute of the plan' },
    tier: { type: 'string' as const, description: '429: the plan' },
    retryAfterSeconds: { type: 'integer' as const, description: '429: when to try again' },
    balance: {
      type: 'integer' as const,
      description: '402: credits left that the operation may draw on',
    },
    required: { type: 'integer' as const, description: '402: credits the request needs' },
    url: { type: 'string' as const, description: '422 of a scrape: the address' },
    statusCode: {
      type: 'integer' as const,
      description: '422 of a scrape: HTTP status of the page, when its site answered',
    },
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

export const ERROR_SCHEMAS = { Error: ERROR, AgentError: AGENT_ERROR };

const PARAMETER = {
  name: 'X-Error-Format',
  in: 'header' as const,
  required: false,
  description:
    '`agent`: the `error` of a refusal is an object with a code and what to do next. Anything else: a text.',
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
