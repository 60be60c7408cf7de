import { fieldAlone, FitsOneOf } from '../http/alternatives.js';
import { ChoiceField, ParsedField, SchemaField, UrlField } from '../http/fields.js';

export const COMPLEXITIES = ['low', 'high'] as const;
export const MAX_EXTRACT_URLS = 100;

/** Body of POST /v1/extract. */
@FitsOneOf(
  fieldAlone('url', ['urls']),
  fieldAlone('html', ['urls']),
  fieldAlone('markdown', ['urls']),
  fieldAlone('urls', ['url', 'html', 'markdown']),
)
export class ExtractRequest {
  @UrlField({
    description:
      'Page to read; required unless `urls`, `html` or `markdown` is set. With `html` or `markdown`: base of relative URLs.',
    example: 'https://example.com/',
  })
  url?: string;

  @ParsedField({
    description:
      'Pages to read, five at a time. The whole request is rejected if one URL is not fetchable.',
    schema: {
      type: 'array',
      items: { type: 'string', format: 'uri' },
      minItems: 1,
      maxItems: MAX_EXTRACT_URLS,
    },
  })
  urls?: unknown;

  @ParsedField({
    description: 'Page source to read; nothing is fetched.',
    schema: { type: 'string', minLength: 1 },
  })
  html?: unknown;

  @ParsedField({
    description:
      'Text to read; nothing is fetched. With `html` and `schema`, the model reads this text.',
    schema: { type: 'string', minLength: 1 },
  })
  markdown?: unknown;

  @SchemaField('Schema of `data`. Without it: the business listing of the page, free.')
  schema?: unknown;

  @ChoiceField({
    description: 'high: a stronger model. Used with `schema`.',
    choices: COMPLEXITIES,
    fallback: 'low',
  })
  complexity?: (typeof COMPLEXITIES)[number];
}
