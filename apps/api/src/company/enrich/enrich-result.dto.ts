import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BRAND_REASONS, type BrandReason } from '@app/contracts';
import { TECH_REASONS, TECH_SOURCES, type TechReason, type TechSource } from '@app/tech';

const SCORE = { minimum: 0, maximum: 1 } as const;

export class TechnologyView {
  @ApiProperty()
  name: string;
  @ApiProperty({ example: 'CMS' })
  category: string;
  @ApiProperty(SCORE)
  confidence: number;
  @ApiPropertyOptional({ description: 'Position as the site states it.' })
  version?: string;
}

export class TechMetaView {
  @ApiProperty({ description: 'There are `reasons`.' })
  partial: boolean;
  @ApiProperty({
    enum: [...TECH_REASONS],
    isArray: true,
    description: 'Parts that were not scanned.',
  })
  reasons: readonly TechReason[];
  @ApiProperty({ type: 'integer', description: 'Bytes of HTML read, over all pages.' })
  scanned_bytes: number;
  @ApiProperty({ type: 'integer', description: 'Milliseconds of scanning, over all pages.' })
  duration_ms: number;
  @ApiPropertyOptional({
    enum: [...TECH_SOURCES],
    isArray: true,
    description: 'With `deepTech`: the sources matched.',
  })
  sources?: readonly TechSource[];
}

export class BrandMetaView {
  @ApiProperty({ description: 'True if there are `reasons`, or if the brand could not be read.' })
  partial: boolean;
  @ApiProperty({
    enum: [...BRAND_REASONS],
    isArray: true,
    description: 'Parts that were not read.',
  })
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

/** Response of POST /v1/enrich and POST /v1/enrich/website. */
export class EnrichResult {
  @ApiProperty({ description: 'Without protocol, `www.` and port.', example: 'example.com' })
  domain: string;
  @ApiProperty({
    type: [String],
    description: 'Without duplicates, shared platforms and no-reply addresses.',
  })
  emails: readonly string[];
  @ApiProperty({ type: [String], description: 'In US formats, as written on the site.' })
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
  @ApiProperty({ type: 'integer', description: 'URLs that redirect to the same page count once.' })
  pages_crawled: number;
  @ApiProperty({ type: HomepageView })
  homepage: HomepageView;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'With `includeBrand`: the brand profile, as POST /v1/brand returns it.',
  })
  brand?: object;
  @ApiPropertyOptional({ type: BrandMetaView, description: 'With `includeBrand`.' })
  brand_meta?: BrandMetaView;
  @ApiPropertyOptional({ type: TechMetaView, description: 'With `includeTech`.' })
  tech_meta?: TechMetaView;
  @ApiProperty({ ...SCORE, description: 'Share of the 8 signals that were found.' })
  _completeness: number;
  @ApiProperty({ ...SCORE, description: 'The same as `_completeness`.' })
  _confidence: number;
  @ApiProperty({ enum: ['deterministic', 'deterministic+llm'] })
  _extraction_method: 'deterministic' | 'deterministic+llm';
  @ApiProperty({ type: 'integer', description: 'Milliseconds.' })
  _latency_ms: number;
  @ApiPropertyOptional({
    type: 'integer',
    description: 'With `maxAge`: age of the cached result in milliseconds.',
  })
  _cache_age_ms?: number;
}
