import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAP_SOURCES, type MapSource } from '@app/contracts';
import { SEED_SOURCES, type SeedSource } from '@app/crawl';
import { ChoicesField, IntegerField, TextField, UrlField } from '../http/fields.js';

export const DEFAULT_LINKS = 100;
const MAX_SEARCH_CHARS = 500;

/** Body of POST /v1/map. */
export class MapRequest {
  @UrlField({
    required: true,
    description:
      'Homepage, any page, sitemap, feed, OPML file or llms.txt of the site, http:// or https://.',
    example: 'https://example.com/',
  })
  url: string;

  @IntegerField({
    description: "Maximum number of links to return; clamped to the plan's maximum.",
    min: 1,
    fallback: DEFAULT_LINKS,
  })
  limit?: number;

  @TextField({
    description: 'Only URLs that contain this text, ignoring case.',
    maxChars: MAX_SEARCH_CHARS,
    example: 'pricing',
  })
  search?: string;

  @ChoicesField({
    description:
      'Further lists of pages to read: the llms.txt of the site and of the folder of `url` (`llms.txt`), the feeds that the page at `url` names (`feeds`), for which that page is read, too.',
    choices: SEED_SOURCES,
    example: ['llms.txt', 'feeds'],
  })
  sources?: SeedSource[];
}

/** Response of POST /v1/map. */
export class MapResult {
  @ApiProperty({ format: 'uri', description: 'The requested URL, normalized.' })
  url: string;
  @ApiProperty({
    type: [String],
    description:
      'URLs of the site without duplicates, in the order of its sitemaps or pages; those of the sitemap or page at the requested URL come first.',
  })
  links: readonly string[];
  @ApiProperty({ type: 'integer', description: 'Number of `links`.' })
  total: number;
  @ApiProperty({
    enum: [...MAP_SOURCES],
    description:
      'The source of the links: sitemaps and other lists, the requested page and the homepage (`crawl`), or none. A search without a hit still names the source searched.',
  })
  source: MapSource;
  @ApiPropertyOptional({
    enum: [true],
    description: 'The time limit was reached; `links` are those found by then.',
  })
  timedOut?: boolean;
  @ApiPropertyOptional({
    type: [String],
    description:
      'Limits that cut the result; absent if none did. `limit`: there are more links than requested. Limits of sitemaps: `bytes` (50 MB each, uncompressed), `urls` (50,000 each), `children` (15), `depth` (3 indexes above one another), `declared` (15 named by robots.txt), `loc_length` (2,048 characters), `nested_gzip`, `incomplete` (one broke off), `unread` (one could not be fetched, or is none). `link_bytes`: the addresses of one map pass 64 MB.',
  })
  cuts?: readonly string[];
}
