import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_ACTIONS } from '../../scrape/action-limits.js';
import { V2_FORMATS } from '../options/formats.js';

const FORMAT = {
  anyOf: [
    { type: 'string', enum: V2_FORMATS.filter((name) => name !== 'json') },
    {
      type: 'object',
      required: ['type'],
      properties: { type: { type: 'string', enum: [...V2_FORMATS] } },
      additionalProperties: true,
    },
  ],
};

/** Options of the content of a page. */
export class V2ContentOptions {
  @ApiPropertyOptional({
    nullable: true,
    default: true,
    description: 'Keep only the main content.',
  })
  onlyMainContent?: boolean;
  @ApiPropertyOptional({ nullable: true, type: [String], description: 'CSS selectors to keep.' })
  includeTags?: string[];
  @ApiPropertyOptional({ nullable: true, type: [String], description: 'CSS selectors to remove.' })
  excludeTags?: string[];
  @ApiPropertyOptional({ nullable: true, default: true, description: 'Remove inline images.' })
  removeBase64Images?: boolean;
}

/** Options of a page; others are ignored and named in `warning`. */
export class V2PageOptions extends V2ContentOptions {
  @ApiPropertyOptional({
    nullable: true,
    type: Object,
    additionalProperties: { type: 'string' },
    description: 'Request headers for the site of the URL.',
  })
  headers?: Record<string, string>;
  @ApiPropertyOptional({
    nullable: true,
    type: 'integer',
    minimum: 0,
    maximum: 60_000,
    description: 'Milliseconds to wait after load.',
  })
  waitFor?: number;
  @ApiPropertyOptional({
    nullable: true,
    default: true,
    description: 'In a browser, leave out advertising, analytics and chats of third parties.',
  })
  blockAds?: boolean;
  @ApiPropertyOptional({
    nullable: true,
    type: 'integer',
    minimum: 0,
    description: 'Accept a copy up to this age in milliseconds. Pages of a job are fetched anew.',
  })
  maxAge?: number;
}

/** Body of POST /v2/scrape. */
export class V2ScrapeBody extends V2PageOptions {
  @ApiProperty({
    description: 'Page to fetch; without a scheme it is reached by http.',
    maxLength: 2_048,
    example: 'https://example.com/',
  })
  url: string;
  @ApiPropertyOptional({
    nullable: true,
    type: 'array',
    items: FORMAT,
    default: ['markdown'],
    description:
      'Outputs: names, or objects with a `type`. `json` needs a `schema`; `screenshot` has `fullPage`, `quality` and `viewport`.',
    example: ['markdown', { type: 'screenshot', fullPage: true }],
  })
  formats?: unknown[];
  @ApiPropertyOptional({
    nullable: true,
    type: 'array',
    maxItems: MAX_ACTIONS,
    items: {
      type: 'object',
      required: ['type'],
      properties: {
        type: { type: 'string', enum: ['wait', 'click', 'write', 'press', 'scroll', 'screenshot'] },
      },
      additionalProperties: true,
    },
    description:
      'Actions in a browser, in order: wait (`milliseconds`), click (`selector`), write (`text`, into the focused element), press (`key`), scroll down, screenshot.',
    example: [{ type: 'wait', milliseconds: 500 }],
  })
  actions?: unknown[];
  @ApiPropertyOptional({
    nullable: true,
    type: 'integer',
    minimum: 0,
    description: 'Use only the cache, for a copy at least this many milliseconds old.',
  })
  minAge?: number;
}
