import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BrandMetaView, SocialView } from '../enrich/enrich-result.dto.js';
import { fieldAlone, FitsOneOf } from '../../http/alternatives.js';
import { DOMAIN_DESCRIPTION } from '../company-site.js';
import { MAX_REQUEST_URL_CHARS, TextField } from '../../http/fields.js';

/** Body of POST /v1/brand. */
@FitsOneOf(fieldAlone('domain', ['url']), fieldAlone('url', ['domain']))
export class BrandRequest {
  @TextField({
    description: DOMAIN_DESCRIPTION,
    maxChars: MAX_REQUEST_URL_CHARS,
    example: 'example.com',
  })
  domain?: string;

  @TextField({ description: 'Alias of `domain`.', maxChars: MAX_REQUEST_URL_CHARS })
  url?: string;
}

const SCORE = { minimum: 0, maximum: 1 } as const;

export class BrandColorView {
  @ApiProperty({ example: '#0d6efd' })
  hex: string;
  @ApiProperty({
    type: 'array',
    items: { type: 'integer', minimum: 0, maximum: 255 },
    minItems: 3,
    maxItems: 3,
    example: [13, 110, 253],
  })
  rgb: readonly number[];
  @ApiProperty({
    description:
      'Weight of the color on the page: its uses by role (buttons, links, header and theme color count most); greys count a tenth.',
  })
  frequency: number;
}

export class IndustryView {
  @ApiProperty({ description: 'NAICS 2022 code.', example: '722511' })
  naics: string;
  @ApiProperty({ example: 'Full-Service Restaurants' })
  title: string;
  @ApiProperty(SCORE)
  confidence: number;
}

/** Response of POST /v1/brand. */
export class BrandResult {
  @ApiProperty({ description: 'Without protocol, `www.` and port.', example: 'example.com' })
  domain: string;
  @ApiPropertyOptional()
  name?: string;
  @ApiPropertyOptional()
  description?: string;
  @ApiPropertyOptional({ format: 'uri' })
  logo?: string;
  @ApiPropertyOptional({ format: 'uri' })
  favicon?: string;
  @ApiProperty({ type: [BrandColorView], description: 'By `frequency`, highest first.' })
  colors: readonly BrandColorView[];
  @ApiProperty({
    type: [String],
    description:
      "Font families of the page's text, most used first. System fonts and icon fonts are excluded.",
  })
  fonts: readonly string[];
  @ApiProperty({ type: SocialView })
  socials: SocialView;
  @ApiPropertyOptional({ type: IndustryView, description: 'Absent unless one is clearly ahead.' })
  industry?: IndustryView;
  @ApiProperty({
    ...SCORE,
    description: '0.4, and 0.12 for each of logo, colors, fonts, socials and industry.',
  })
  _confidence: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', format: 'uri' },
    description: 'The source URL of each resolved field, by field name.',
  })
  _provenance: Readonly<Record<string, string>>;
  @ApiProperty({ format: 'date-time', description: 'When the site was read.' })
  _freshness: string;
  @ApiProperty({ type: BrandMetaView })
  brand_meta: BrandMetaView;
}
