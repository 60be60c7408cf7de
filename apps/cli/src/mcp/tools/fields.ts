import { z } from 'zod';
import { SOURCE_NAMES, USE_NAMES } from '../../commands/options.js';

export const DEFAULT_MAX_TOKENS = 8_000;
export const MIN_MAX_TOKENS = 200;
export const MAX_MAX_TOKENS = 50_000;
/** As long as the API accepts. */
const MAX_URL_CHARS = 8_192;

export const urlField = (description: string) =>
  z.string().min(1).max(MAX_URL_CHARS).describe(description);

export const useField = (description: string) => z.enum(USE_NAMES).optional().describe(description);

export const sourcesField = z
  .array(z.enum(SOURCE_NAMES))
  .min(1)
  .max(SOURCE_NAMES.length)
  .optional()
  .describe('Lists of pages to read beside sitemaps: llms.txt files, feeds of the start page.');

export const maxTokensField = z
  .int()
  .min(MIN_MAX_TOKENS)
  .max(MAX_MAX_TOKENS)
  .default(DEFAULT_MAX_TOKENS)
  .describe(
    'Maximum length of the answer in tokens, estimated. A longer one is cut and says how to continue.',
  );

/** The arguments that every tool with a long text takes. */
export const pagingFields = {
  maxTokens: maxTokensField,
  offset: z
    .int()
    .min(0)
    .default(0)
    .describe('Continue a cut answer at this character: the number that the cut answer names.'),
  copy: z
    .string()
    .max(64)
    .optional()
    .describe(
      'With offset: the copy id that the cut answer names, to notice a text that has changed.',
    ),
} as const;

export const jobIdField = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\w-]+$/, 'a job id has letters, digits, - and _ only')
  .describe('Job id, as crawl returned it.');
