import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  getSchemaPath,
  PartialType,
} from '@nestjs/swagger';
import type { Listing } from '@app/contracts';
import { USE_LEVELS, USE_SOURCES } from '@app/uses';
import { FILE_FORMATS } from '../parse/file-types.js';
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
  @ApiPropertyOptional({
    description:
      'An address that the page led to by itself, and that was refused because it is private or denied by the operator. The page stayed where it was.',
  })
  refused_navigation?: string;
}

class RememberedView {
  @ApiProperty({ description: 'The first rung tried.' })
  rung: string;
  @ApiProperty({ description: 'The reason why the lower rungs failed on this host before.' })
  error_class: string;
  @ApiProperty({ type: 'integer' })
  age_ms: number;
}

class CascadeView {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Level of the successful rung; null if all failed.',
  })
  level: number | null;
  @ApiProperty({ type: [CascadeAttemptView] })
  attempts: CascadeAttemptView[];
  @ApiPropertyOptional({
    type: RememberedView,
    description: 'Present if lower rungs were skipped because of earlier results of the host.',
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
  @ApiProperty({ description: 'The first rung that failed.' })
  from: string;
  @ApiProperty({ description: 'The successful rung.' })
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

class FeedLinkView {
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

class ContentUseView {
  @ApiPropertyOptional({ description: 'Search indexes that show links and short excerpts.' })
  search?: boolean;
  @ApiPropertyOptional({ description: 'Input of a model that answers: retrieval, grounding.' })
  aiInput?: boolean;
  @ApiPropertyOptional({ description: 'Training of a model.' })
  aiTrain?: boolean;
  @ApiPropertyOptional({
    enum: [...USE_LEVELS],
    description: '`use` of Content-Signal: how far content may be reused.',
  })
  use?: string;
  @ApiProperty({ enum: [...USE_SOURCES], isArray: true, description: 'Where it is declared.' })
  sources: string[];
  @ApiPropertyOptional({ description: 'URL of an RSL document.' })
  license?: string;
  @ApiPropertyOptional({ description: 'URL of a TDM policy.' })
  tdmPolicy?: string;
}

class ScrapeMetadataView {
  @ApiPropertyOptional({ description: 'Title of the page.' })
  title?: string;
  @ApiPropertyOptional({
    description: "Title without the site's name, or the main heading; absent if it is `title`.",
  })
  headline?: string;
  @ApiPropertyOptional({ description: 'Name of the site.' })
  siteName?: string;
  @ApiPropertyOptional({ description: 'Section of the site, if the page states it.' })
  section?: string;
  @ApiPropertyOptional({ type: [String], description: 'Tags, if the page states them.' })
  tags?: string[];
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
  @ApiPropertyOptional({ description: 'ISO 8601, or as stated on the page.' })
  publishedTime?: string;
  @ApiPropertyOptional({ description: 'ISO 8601, or as stated on the page.' })
  modifiedTime?: string;
  @ApiPropertyOptional({ type: [String], description: 'Types of the JSON-LD items.' })
  jsonLdTypes?: string[];
  @ApiPropertyOptional({ type: [FeedLinkView], description: 'Feeds linked by the page.' })
  feeds?: FeedLinkView[];
  @ApiPropertyOptional({ type: [AlternateView], description: 'The page in other languages.' })
  alternates?: AlternateView[];
  @ApiPropertyOptional({
    type: 'integer',
    description: 'Characters of hidden text, excluded from Markdown.',
  })
  hiddenChars?: number;
  @ApiPropertyOptional()
  contentType?: string;
  @ApiProperty({ description: 'The requested URL.' })
  sourceURL: string;
  @ApiProperty({
    enum: ['fetch', 'plain', 'headless', 'stealth', 'hosted_crawler', 'hosted_browser'],
  })
  fetchMethod: string;
  @ApiProperty({ type: 'integer', description: 'Fetch and extraction together, milliseconds.' })
  latencyMs: number;
  @ApiProperty({ description: 'Served from the cache.' })
  cached: boolean;
  @ApiPropertyOptional({ type: 'integer', description: 'Age of the copy, if `cached`.' })
  cacheAgeMs?: number;
  @ApiPropertyOptional({
    type: [String],
    description: 'Evidence for the verdict, if the page is not clearly complete.',
  })
  signals?: string[];
  @ApiPropertyOptional({ type: [RedirectView], description: 'Redirects followed.' })
  redirects?: RedirectView[];
  @ApiPropertyOptional({ description: 'The X-Robots-Tag header.' })
  xRobotsTag?: string;
  @ApiPropertyOptional({ description: 'URL of the page in Markdown, if it names one.' })
  markdownUrl?: string;
  @ApiPropertyOptional({
    type: ContentUseView,
    description:
      'Uses that the site allows or refuses by Content-Signal, Content-Usage, TDMRep or RSL. What nothing speaks of is absent. The files of TDMRep and RSL are read only with `respectUse`.',
  })
  contentUse?: ContentUseView;
  @ApiPropertyOptional({ description: 'Source layer of the listing.' })
  extractionMethod?: string;
  @ApiPropertyOptional({ minimum: 0, maximum: 1, description: 'Score of the listing.' })
  confidence?: number;
  @ApiPropertyOptional({
    type: ModelUseView,
    description: 'Model usage of the formats json and summary, and of passages with `rerank`.',
  })
  llm?: ModelUseView;
}

/** Of a document file, which may be a PDF. */
class FileMetadataView extends PartialType(ScrapeMetadataView) {}

export class PassageView {
  @ApiProperty({ description: 'Markdown: whole paragraphs, lists, rows or lines of code.' })
  text: string;
  @ApiProperty({ type: [String], description: 'Titles of its sections, outermost first.' })
  headings: readonly string[];
  @ApiProperty({
    type: 'integer',
    description: 'Place in the uncut Markdown of the page, in UTF-16 code units.',
  })
  start: number;
  @ApiProperty({ type: 'integer', description: 'Exclusive.' })
  end: number;
  @ApiProperty({ description: 'Comparable within one page and question only; higher is better.' })
  score: number;
  @ApiProperty({ format: 'uri', description: 'Opens the page at the passage (a text fragment).' })
  url: string;
}

/** What `maxTokens` left out. */
export class MarkdownCutView {
  @ApiProperty({ type: 'integer', description: 'Of the Markdown that is returned.' })
  tokens: number;
  @ApiProperty({ type: 'integer', description: 'Estimated by the length of the rest.' })
  leftOutTokens: number;
  @ApiProperty({
    type: [String],
    description: 'Titles of sections that are left out whole, the first 50.',
  })
  leftOut: readonly string[];
}

const FORMATS_FIELD = {
  type: 'object' as const,
  description: 'Requested outputs by name, when `formats` was sent.',
  properties: {
    passages: { type: 'array' as const, items: { $ref: getSchemaPath(PassageView) } },
  },
  additionalProperties: true,
};

/** Scrape result. */
@ApiExtraModels(PassageView)
export class ScrapeResult {
  @ApiProperty({ format: 'uri', description: 'URL after redirects.' })
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
    description: 'Null if the page shows no business. Absent with `extractListing: false`.',
  })
  listing?: Listing | Omit<Listing, '_provenance'> | null;
  @ApiPropertyOptional(FORMATS_FIELD)
  formats?: Record<string, unknown>;
  @ApiPropertyOptional({ type: MarkdownCutView, description: 'Present if `maxTokens` cut it.' })
  markdownCut?: MarkdownCutView;
  @ApiProperty({ type: 'integer' })
  statusCode: number;
  @ApiPropertyOptional({ description: 'Content is incomplete or blank.' })
  partial?: true;
  @ApiPropertyOptional({
    description:
      'Reason if `partial`: an error class, or the limit that cut the page, such as `max_cpu` for CPU time.',
  })
  partial_reason?: string;
  @ApiPropertyOptional({
    type: FallbackView,
    description: 'A later rung returned complete content after an earlier one failed.',
  })
  fallback?: FallbackView;
  @ApiPropertyOptional({ type: ActionsView, description: 'Results of screenshot and pdf actions.' })
  actions?: ActionsView;
  @ApiProperty({ type: ScrapeMetadataView })
  metadata: ScrapeMetadataView;
  @ApiProperty({ type: CascadeView })
  cascade: CascadeView;
  @ApiProperty({ type: UnblockView })
  unblock: UnblockView;
}

/** Scrape result of a URL that leads to a document file. */
export class ScrapedFile {
  @ApiProperty({ format: 'uri', description: 'URL after redirects.' })
  url: string;
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ description: 'False: another kind of document, see `format`.' })
  isPdf: boolean;
  @ApiPropertyOptional({ enum: FILE_FORMATS.filter((format) => format !== 'pdf') })
  format?: string;
  @ApiProperty()
  markdown: string;
  @ApiProperty()
  text: string;
  @ApiPropertyOptional(FORMATS_FIELD)
  formats?: Record<string, unknown>;
  @ApiPropertyOptional({ type: MarkdownCutView, description: 'Present if `maxTokens` cut it.' })
  markdownCut?: MarkdownCutView;
  @ApiPropertyOptional({ type: FileMetadataView, description: 'Of a PDF at most `llm`.' })
  metadata?: FileMetadataView;
  @ApiPropertyOptional({ type: 'integer', description: 'Absent for a PDF, as are the next two.' })
  statusCode?: number;
  @ApiPropertyOptional({ type: CascadeView })
  cascade?: CascadeView;
  @ApiPropertyOptional({ type: UnblockView })
  unblock?: UnblockView;
  @ApiPropertyOptional({ description: 'Content was cut, or the model failed.' })
  partial?: true;
  @ApiPropertyOptional({
    description:
      'Reason if `partial`: an error class, or the limit that cut the page, such as `max_cpu` for CPU time.',
  })
  partial_reason?: string;
}
