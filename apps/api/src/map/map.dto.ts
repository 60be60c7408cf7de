import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAP_SOURCES, type MapSource } from '@app/contracts';
import { IntegerField, TextField, UrlField } from '../http/fields.js';

export const DEFAULT_LINKS = 100;
const MAX_SEARCH_CHARS = 500;

/** Body of POST /v1/map. */
export class MapRequest {
  @UrlField({
    required: true,
    description: 'Homepage or any page of the site, http:// or https://.',
    example: 'https://example.com/',
  })
  url: string;

  @IntegerField({
    description: 'Most links to answer with; more than the plan allows counts as what it allows.',
    min: 1,
    fallback: DEFAULT_LINKS,
  })
  limit?: number;

  @TextField({
    description: 'Only addresses that contain this text, in any case of letters.',
    maxChars: MAX_SEARCH_CHARS,
    example: 'pricing',
  })
  search?: string;
}

/** Answer of POST /v1/map. */
export class MapResult {
  @ApiProperty({ format: 'uri', description: 'The address asked for, normalized.' })
  url: string;
  @ApiProperty({
    type: [String],
    description: 'Addresses of the site, each once, in the order of its sitemaps or its homepage.',
  })
  links: readonly string[];
  @ApiProperty({ type: 'integer', description: 'Number of `links`.' })
  total: number;
  @ApiProperty({
    enum: [...MAP_SOURCES],
    description:
      'Where they come from: sitemaps, the links of the homepage (`crawl`), or nowhere. A search without a hit still names the source it searched.',
  })
  source: MapSource;
  @ApiPropertyOptional({
    enum: [true],
    description: 'Time ran out; `links` are those found by then.',
  })
  timedOut?: boolean;
  @ApiPropertyOptional({
    type: [String],
    description:
      'What was cut off, absent when nothing was. `limit`: there are more links than asked for. Of sitemaps: `bytes` (50 MB each, uncompressed), `urls` (50,000 each), `children` (15), `depth` (3 indexes above one another), `declared` (15 named by robots.txt), `loc_length` (2,048 characters), `nested_gzip`, `incomplete` (one broke off), `unread` (one could not be fetched, or is none). `link_bytes`: the addresses of one map pass 64 MB.',
  })
  cuts?: readonly string[];
}
