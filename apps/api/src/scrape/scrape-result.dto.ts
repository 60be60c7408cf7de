import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Listing } from '@app/contracts';
import { ListingView } from './listing.view.js';
import { ModelUseView } from '../models/model-use.view.js';

class CascadeAttemptView {
  @ApiProperty({ enum: ['unblock', 'plain', 'headless', 'hosted_crawler', 'hosted_browser'] })
  rung: string;
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 4 })
  level: number;
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ type: 'integer', minimum: 0 })
  latency_ms: number;
  @ApiProperty({ type: String, nullable: true, description: 'Null when the attempt succeeded.' })
  error_class: string | null;
}

class RememberedView {
  @ApiProperty({ description: 'The rung that was begun with.' })
  rung: string;
  @ApiProperty({ description: 'What the lower rungs had failed with on this host.' })
  error_class: string;
  @ApiProperty({ type: 'integer' })
  age_ms: number;
}

class CascadeView {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Level of the rung that served; null when none did.',
  })
  level: number | null;
  @ApiProperty({ type: [CascadeAttemptView] })
  attempts: CascadeAttemptView[];
  @ApiPropertyOptional({
    type: RememberedView,
    description: 'Present when lower rungs were left out for what is known of the host.',
  })
  remembered?: RememberedView;
}

class UnblockAttemptView {
  @ApiProperty()
  provider: string;
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ type: 'integer', minimum: 0 })
  latency_ms: number;
  @ApiProperty({ type: String, nullable: true, description: 'Null when the attempt succeeded.' })
  error_class: string | null;
  @ApiProperty({ enum: ['ok', 'blocked', 'failed'] })
  outcome: string;
  @ApiProperty({
    enum: ['free', 'paid'],
    description: 'paid: a third-party fetch provider received the URL.',
  })
  cost_class: string;
}

class UnblockView {
  @ApiProperty({ type: [UnblockAttemptView] })
  attempts: UnblockAttemptView[];
}

class FallbackView {
  @ApiProperty({ description: 'Always true.' })
  used: boolean;
  @ApiProperty({ description: 'The rung that failed first.' })
  from: string;
  @ApiProperty({ description: 'The rung that served.' })
  to: string;
}

class ActionsView {
  @ApiProperty({ type: [String], description: 'Data URIs, in the order of the actions.' })
  screenshots: string[];
  @ApiProperty({ type: [String], description: 'Data URIs, in the order of the actions.' })
  pdfs: string[];
}

class RedirectView {
  @ApiProperty()
  url: string;
  @ApiProperty({ type: 'integer' })
  statusCode: number;
}

class FeedView {
  @ApiProperty()
  url: string;
  @ApiProperty()
  type: string;
  @ApiPropertyOptional()
  title?: string;
}

class AlternateView {
  @ApiProperty()
  language: string;
  @ApiProperty()
  url: string;
}

class ScrapeMetadataView {
  @ApiPropertyOptional({ description: 'Title of the page.' })
  title?: string;
  @ApiPropertyOptional()
  description?: string;
  @ApiPropertyOptional()
  language?: string;
  @ApiPropertyOptional()
  canonical?: string;
  @ApiPropertyOptional({ description: 'The robots meta tag.' })
  robots?: string;
  @ApiPropertyOptional()
  favicon?: string;
  @ApiPropertyOptional({ type: Object, description: 'Open Graph properties.' })
  openGraph?: Record<string, string>;
  @ApiPropertyOptional({ type: Object, description: 'Twitter properties without their prefix.' })
  twitter?: Record<string, string>;
  @ApiPropertyOptional()
  author?: string;
  @ApiPropertyOptional()
  keywords?: string;
  @ApiPropertyOptional({ description: 'As the page says it.' })
  publishedTime?: string;
  @ApiPropertyOptional({ description: 'As the page says it.' })
  modifiedTime?: string;
  @ApiPropertyOptional({ type: [String], description: 'Types of the JSON-LD items.' })
  jsonLdTypes?: string[];
  @ApiPropertyOptional({ type: [FeedView], description: 'Feeds the page names.' })
  feeds?: FeedView[];
  @ApiPropertyOptional({ type: [AlternateView], description: 'The page in other languages.' })
  alternates?: AlternateView[];
  @ApiPropertyOptional({
    type: 'integer',
    description: 'Characters of text that a reader does not see, left out of Markdown.',
  })
  hiddenChars?: number;
  @ApiPropertyOptional()
  contentType?: string;
  @ApiProperty({ description: 'Address as it was asked for.' })
  sourceURL: string;
  @ApiProperty({
    enum: ['fetch', 'plain', 'headless', 'stealth', 'hosted_crawler', 'hosted_browser'],
  })
  fetchMethod: string;
  @ApiProperty({ type: 'integer', description: 'Fetch and extraction together, milliseconds.' })
  latencyMs: number;
  @ApiProperty({ description: 'Served from the cache.' })
  cached: boolean;
  @ApiPropertyOptional({ type: 'integer', description: 'Age of the copy, when `cached`.' })
  cacheAgeMs?: number;
  @ApiPropertyOptional({
    type: [String],
    description: 'What the verdict rests on, when the page is not plainly complete.',
  })
  signals?: string[];
  @ApiPropertyOptional({ type: [RedirectView], description: 'Redirects that were followed.' })
  redirects?: RedirectView[];
  @ApiPropertyOptional({ description: 'The X-Robots-Tag header.' })
  xRobotsTag?: string;
  @ApiPropertyOptional({ description: 'Layer the listing was read from.' })
  extractionMethod?: string;
  @ApiPropertyOptional({ minimum: 0, maximum: 1, description: 'Score of the listing.' })
  confidence?: number;
  @ApiPropertyOptional({ type: ModelUseView, description: 'What formats json and summary used.' })
  llm?: ModelUseView;
}

/** Scrape result. */
export class ScrapeResult {
  @ApiProperty({ format: 'uri', description: 'Address after redirects.' })
  url: string;
  @ApiProperty()
  ok: boolean;
  @ApiPropertyOptional({ description: 'The page as Markdown.' })
  markdown?: string;
  @ApiPropertyOptional({ description: 'Page source, with `includeHtml`.' })
  html?: string;
  @ApiPropertyOptional({
    type: ListingView,
    nullable: true,
    description: 'Null: the page shows no business. Absent with `extractListing: false`.',
  })
  listing?: Listing | Omit<Listing, '_provenance'> | null;
  @ApiPropertyOptional({
    type: Object,
    description: 'Requested outputs by name, when `formats` was sent.',
  })
  formats?: Record<string, unknown>;
  @ApiProperty({ type: 'integer' })
  statusCode: number;
  @ApiPropertyOptional({ description: 'Content is incomplete or blank.' })
  partial?: true;
  @ApiPropertyOptional({
    description:
      'Why, when `partial`: an error class, or the limit that cut the page, as `max_cpu` for its CPU time.',
  })
  partial_reason?: string;
  @ApiPropertyOptional({
    type: FallbackView,
    description: 'A later rung brought complete content after an earlier one had failed.',
  })
  fallback?: FallbackView;
  @ApiPropertyOptional({ type: ActionsView, description: 'What screenshot and pdf actions made.' })
  actions?: ActionsView;
  @ApiProperty({ type: ScrapeMetadataView })
  metadata: ScrapeMetadataView;
  @ApiProperty({ type: CascadeView })
  cascade: CascadeView;
  @ApiProperty({ type: UnblockView })
  unblock: UnblockView;
}

/** Scrape result of an address that leads to a PDF or DOCX. */
export class ScrapedFile {
  @ApiProperty({ format: 'uri', description: 'Address after redirects.' })
  url: string;
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ description: 'False: another kind of document, named by `format`.' })
  isPdf: boolean;
  @ApiPropertyOptional({ enum: ['docx'] })
  format?: string;
  @ApiProperty()
  markdown: string;
  @ApiProperty()
  text: string;
  @ApiPropertyOptional({
    type: Object,
    description: 'Requested outputs by name, when `formats` was sent.',
  })
  formats?: Record<string, unknown>;
  @ApiPropertyOptional({ description: 'Something was cut, or the model gave nothing.' })
  partial?: true;
  @ApiPropertyOptional({
    description:
      'Why, when `partial`: an error class, or the limit that cut the page, as `max_cpu` for its CPU time.',
  })
  partial_reason?: string;
}
