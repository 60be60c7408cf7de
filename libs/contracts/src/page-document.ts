import type { CascadeReport, Fallback } from './cascade.js';
import type { LlmOutput } from './llm.js';
import type { ActionResult } from './page-actions.js';
import type { OutputValues } from './page-outputs.js';
import type { Chunk, ParsedFile } from './parsed-file.js';
import type { MarkdownParts } from './passages.js';
import type { FetchMethod } from './rung.js';
import type { ImageRef } from './screenshot-task.js';

/** Metadata read from a page, plus how it was fetched. Absent fields were not on the page. */
export interface PageMetadata {
  readonly title?: string;
  readonly description?: string;
  readonly language?: string;
  readonly canonical?: string;
  readonly robots?: string;
  readonly favicon?: string;
  readonly openGraph?: Readonly<Record<string, string>>;
  /** `twitter:` properties without their prefix. */
  readonly twitter?: Readonly<Record<string, string>>;
  readonly author?: string;
  readonly keywords?: string;
  /** Main heading, or the title without the site's name; absent: `title` is it already. */
  readonly headline?: string;
  readonly siteName?: string;
  readonly section?: string;
  readonly tags?: readonly string[];
  /** ISO 8601 with the zone that the page gives; as the page has it where that is no such time. */
  readonly publishedTime?: string;
  readonly modifiedTime?: string;
  /** Types of the JSON-LD items, unique, in order. */
  readonly jsonLdTypes?: readonly string[];
  readonly feeds?: readonly {
    readonly url: string;
    readonly type: string;
    readonly title?: string;
  }[];
  /** Other languages of the page (`hreflang`). */
  readonly alternates?: readonly { readonly language: string; readonly url: string }[];
  /** Characters of text that a reader does not see and that were left out of Markdown. */
  readonly hiddenChars?: number;
  /** The X-Robots-Tag header as it came. */
  readonly xRobotsTag?: string;
  /** URL of the page in Markdown (`rel=alternate`, `text/markdown`). */
  readonly markdownUrl?: string;
  /** What the page and its site declare about its use (`@app/uses`); a use that nothing speaks of is absent. */
  readonly contentUse?: {
    /** Search indexes that show links and short excerpts. */
    readonly search?: boolean;
    /** Input of a model that answers a question: retrieval, grounding. */
    readonly aiInput?: boolean;
    /** Training of a model. */
    readonly aiTrain?: boolean;
    /** How far content may be reused (`use` of Content Signals). */
    readonly use?: 'immediate' | 'reference' | 'full';
    /** At least one. TDMRep and RSL have files of their own. */
    readonly sources: readonly ('robots.txt' | 'header' | 'meta' | 'tdmrep.json' | 'rsl')[];
    /** URL of an RSL document. */
    readonly license?: string;
    /** URL of a TDM policy. */
    readonly tdmPolicy?: string;
  };
}

/** One answered redirect. */
export interface RedirectStep {
  readonly url: string;
  readonly statusCode: number;
}

/** One fetched and converted page, with the outputs that were wanted: the middle that scrape and crawl share. */
export interface PageDocument
  extends Partial<OutputValues>, Pick<MarkdownParts, 'passages' | 'markdownCut'> {
  /** Address after redirects. */
  readonly url: string;
  /** URL as requested or discovered. */
  readonly sourceUrl: string;
  readonly statusCode: number;
  readonly contentType: string | null;
  readonly metadata: PageMetadata;
  readonly fetchMethod: FetchMethod;
  readonly latencyMs: number;
  readonly cascade: CascadeReport;
  /** Names of the signals the verdict rests on, when it is not plainly complete. */
  readonly signals?: readonly string[];
  /** In order; absent without redirects. */
  readonly redirects?: readonly RedirectStep[];
  /** Present when content is incomplete or blank: why. Never together with `fallback`. */
  readonly partialReason?: string;
  readonly fallback?: Fallback;
  readonly screenshot?: ImageRef;
  /** Its usage is that of this reply: a copy's own was paid for when it was made. */
  readonly llm?: LlmOutput;
  /** The address led to a document instead of a page. */
  readonly file?: ParsedFile;
  readonly chunks?: readonly Chunk[];
  readonly actionResults?: readonly ActionResult[];
  /** Served from the cache: how old the copy is. */
  readonly cacheAgeMs?: number;
}

/** Among the signals when a rung could not run for lack of a browser: nothing is wrong with the page. */
export const BROWSER_UNAVAILABLE = 'browser_unavailable';
