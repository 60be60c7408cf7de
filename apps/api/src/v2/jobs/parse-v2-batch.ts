import { ApiError } from '@app/contracts';
import { BatchRequest, MAX_BATCH_URLS } from '../../batch/batch.dto.js';
import type { BatchExtras } from '../../batch/batch.service.js';
import { parseBody } from '../../http/validation.pipe.js';
import {
  booleanOption,
  integerOption,
  readOptions,
  type V2Fields,
} from '../options/read-options.js';
import { withScheme } from '../options/target.js';
import type { Warnings } from '../options/warnings.js';
import { webhookOf } from '../options/webhook.js';
import { JOB_PAGE_OPTIONS, jobPageOptions, REFUSED_ON_JOBS } from './parse-v2-crawl.js';

const RULES = {
  honoured: ['urls', 'ignoreInvalidURLs', 'maxConcurrency', 'webhook', ...JOB_PAGE_OPTIONS],
  refused: { ...REFUSED_ON_JOBS, appendToId: 'a batch is complete when it starts' },
};

export interface V2Batch {
  readonly request: BatchRequest;
  readonly extras: BatchExtras;
  readonly schemeless: readonly number[];
}

/** A batch of /v2 in the terms of POST /v1/batch with `async`. @throws ApiError */
export async function parseV2Batch(body: V2Fields, warnings: Warnings): Promise<V2Batch> {
  const options = readOptions(body, RULES, warnings);
  const { urls: sent, ignoreInvalidURLs, maxConcurrency, webhook } = options;
  const { urls, schemeless } = completed(sent);
  const request = await parseBody(BatchRequest, {
    urls,
    async: true,
    extractListing: false,
    webhook: webhookOf(webhook, warnings),
    ...jobPageOptions(options, '', warnings),
  });
  const bounds = { min: 1, max: Number.MAX_SAFE_INTEGER };
  const workers = integerOption(maxConcurrency, 'maxConcurrency', bounds);
  const skipsInvalid = booleanOption(ignoreInvalidURLs, 'ignoreInvalidURLs') ?? false;
  return {
    request,
    extras: { ...(workers === undefined ? {} : { workers }), skipsInvalid },
    schemeless,
  };
}

function completed(urls: unknown): Pick<V2Batch, 'schemeless'> & { readonly urls: unknown } {
  if (!Array.isArray(urls)) return { urls, schemeless: [] };
  if (urls.length > MAX_BATCH_URLS) throw new ApiError('too_many_urls', { limit: MAX_BATCH_URLS });
  const whole = urls.map(withScheme);
  const schemeless = whole.flatMap((url, index) => (url === urls[index] ? [] : [index]));
  return { urls: whole, schemeless };
}
