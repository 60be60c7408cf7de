import { invalidRequest } from '../../http/invalid-request.js';
import { isDeepStrictEqual } from 'node:util';
import { readOptions, type V2Fields } from './read-options.js';
import type { Warnings } from './warnings.js';

/** The address of a webhook: a URL, or an object with one. Other fields are named as ignored. @throws ApiError */
export function webhookOf(value: unknown, warnings: Warnings): string | undefined {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalidRequest('`webhook` must be a URL, or an object with a `url`');
  const { events, ...others } = value as V2Fields;
  const { url } = readOptions(others, { honoured: ['url'], at: 'webhook.' }, warnings);
  if (!isDeepStrictEqual(events ?? ['completed'], ['completed']))
    warnings.ignore('events', 'webhook.');
  if (typeof url !== 'string') throw invalidRequest('`webhook.url` must be a URL');
  return url;
}
