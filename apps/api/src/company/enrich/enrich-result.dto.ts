import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  BRAND_REASONS,
  TECH_REASONS,
  TECH_SOURCES,
  type BrandReason,
  type TechReason,
  type TechSource,
} from '@app/contracts';

const SCORE = { minimum: 0, maximum: 1 } as const;

export class TechnologyView {
  @ApiProperty()
  name: string;
  @ApiProperty({ example: 'CMS' })
  category: string;
  @ApiProperty(SCORE)
  confidence: number;
  @ApiPropertyOptional({ description: 'Where the site shows it.' })
  version?: string;
}

export class TechMetaView {
  @ApiProperty({ description: 'There are `reasons`.' })
  partial: boolean;
  @ApiProperty({ enum: [...TECH_REASONS], isArray: true, description: 'What was not looked at.' })
  reasons: readonly TechReason[];
  @ApiProperty({ type: 'integer', description: 'Bytes of HTML read, of all pages.' })
  scanned_bytes: number;
  @ApiProperty({ type: 'integer', description: 'Milliseconds of scanning, of all pages.' })
  duration_ms: number;
  @ApiPropertyOptional({
    enum: [...TECH_SOURCES],
    isArray: true,
    description: 'With `deepTech`: what was matched against.',
  })
  sources?: readonly TechSource[];
}

export class BrandMetaView {
  @ApiProperty({ description: 'There are `reasons`, or the site could not be read for its brand.' })
  partial: boolean;
  @ApiProperty({ enum: [...BRAND_REASONS], isArray: true, description: 'What was not looked at.' })
  reasons: readonly BrandReason[];
}

export class SocialView {
  @ApiPropertyOptional({ format: 'uri' })
  linkedin?: string;
  @ApiPropertyOptional({ format: 'uri' })
  twitter?: string;
  @ApiPropertyOptional({ format: 'uri' })
  facebook?: string;
  @ApiPropertyOptional({ format: 'uri' })
  instagram?: string;
  @ApiPropertyOptional({ format: 'uri' })
  youtube?: string;
}

export class TeamMemberView {
  @ApiProperty()
  name: string;
  @ApiPropertyOptional()
  role?: string;
  @ApiPropertyOptional({ description: 'From JSON-LD only.' })
  email?: string;
}

export class HomepageView {
  @ApiPropertyOptional()
  title?: string;
  @ApiPropertyOptional()
  description?: string;
  @ApiPropertyOptional({ format: 'uri' })
  hero_image?: string;
}

/** Answer of POST /v1/enrich and POST /v1/enrich/website. */
export class EnrichResult {
  @ApiProperty({ description: 'Without protocol, `www.` and port.', example: 'example.com' })
  domain: string;
  @ApiProperty({ type: [String], description: 'Each once; none of shared platforms or no-reply.' })
  emails: readonly string[];
  @ApiProperty({ type: [String], description: 'US formats, as written on the site.' })
  phones: readonly string[];
  @ApiProperty({ type: SocialView })
  social: SocialView;
  @ApiProperty({
    type: [TechnologyView],
    description: 'By confidence (highest first), category, name, over all pages.',
  })
  tech_stack: readonly TechnologyView[];
  @ApiProperty({ type: [TeamMemberView] })
  team: readonly TeamMemberView[];
  @ApiProperty({ type: 'integer', description: 'Addresses that lead to one page are one page.' })
  pages_crawled: number;
  @ApiProperty({ type: HomepageView })
  homepage: HomepageView;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'With `includeBrand`: the brand profile, as POST /v1/brand answers it.',
  })
  brand?: object;
  @ApiPropertyOptional({ type: BrandMetaView, description: 'With `includeBrand`.' })
  brand_meta?: BrandMetaView;
  @ApiPropertyOptional({ type: TechMetaView, description: 'With `includeTech`.' })
  tech_meta?: TechMetaView;
  @ApiProperty({ ...SCORE, description: 'Share found of the 8 signals looked for.' })
  _completeness: number;
  @ApiProperty({ ...SCORE, description: 'The same as `_completeness`.' })
  _confidence: number;
  @ApiProperty({ enum: ['deterministic', 'deterministic+llm'] })
  _extraction_method: 'deterministic' | 'deterministic+llm';
  @ApiProperty({ type: 'integer', description: 'Milliseconds.' })
  _latency_ms: number;
  @ApiPropertyOptional({
    type: 'integer',
    description: 'Age in milliseconds of a kept result, by `maxAge`.',
  })
  _cache_age_ms?: number;
}
