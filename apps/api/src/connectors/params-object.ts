import { isStorable } from '@app/content';
import type { ConnectorParams } from '@app/connectors';
import { UNSTORABLE } from '../http/fields.js';
import { invalidRequest } from '../http/invalid-request.js';
import { MAX_PARAMS_CHARS } from './connector-limits.js';

/** The `params` of a request, before the connector checks them. @throws ApiError */
export function paramsObject(value: unknown): ConnectorParams {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalidRequest('`params` must be an object');
  const text = JSON.stringify(value);
  if (text.length > MAX_PARAMS_CHARS)
    throw invalidRequest(`\`params\` is larger than ${MAX_PARAMS_CHARS} characters of JSON`);
  if (!isStorable(value)) throw invalidRequest(`\`params\` ${UNSTORABLE}`);
  return value as ConnectorParams;
}
