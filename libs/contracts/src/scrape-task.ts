import type { CascadeReport } from './cascade.js';
import type { ContentOptions, FetchOptions } from './fetch-options.js';
import type { LlmRequest, LlmUsage } from './llm.js';
import type { ActionFailure } from './page-actions.js';
import type { PageDocument } from './page-document.js';
import type { Format } from './page-outputs.js';
import type { PageShot } from './page-shot.js';
import type { FileProblem } from './parsed-file.js';
import type { WantedParts } from './passages.js';
import type { Plan } from './plans.js';

/** Request of the `scrape` queue. */
export interface ScrapeTask extends WantedParts {
  readonly requestId: string;
  readonly tenantId: string;
  /** That of the tenant: plans differ in their share of the slots. */
  readonly plan: Plan;
  readonly url: string;
  readonly formats: readonly Format[];
  readonly includeHtml: boolean;
  /** Adds `PageDocument.html`. @default false */
  readonly cleanHtml?: boolean;
  /** Of the format `screenshot`. @default the first screen of a desktop, or with `scroll` the whole page, PNG */
  readonly shot?: PageShot | null;
  readonly ignoreRobotsTxt: boolean;
  /** The actions are a login: what is wanted are the cookies that it ends with, for the profile of this name. */
  readonly savesLogin?: string;
  /** A page whose site does not allow this use fails. @default none */
  readonly respectUse?: 'search' | 'ai-input' | 'ai-train';
  readonly fetch: FetchOptions;
  readonly content: ContentOptions;
  /** Runs the listing cascade. */
  readonly listing: boolean;
  /** Null: no model runs. */
  readonly llm: LlmRequest | null;
  /** A vision model may read a document without text. */
  readonly allowVision: boolean;
  /** Adds chunks of the page or document. */
  readonly chunks: boolean;
  /** Of a PDF. @default neither */
  readonly filePages?: boolean | 'sources';
  readonly pageMarkers?: boolean;
  /** A copy younger than this may be served; 0: always fetched. */
  readonly maxAgeMs: number;
  /** Object storage is configured: a screenshot goes there. */
  readonly upload: boolean;
  /** Served from the cache only, by a copy at least this old; null: fetched when needed. */
  readonly minAgeMs: number | null;
  /** Epoch milliseconds by which the answer is due. */
  readonly deadlineAtMs: number;
}

/** Answer to a {@link ScrapeTask}. */
export type ScrapeReply =
  | { readonly kind: 'document'; readonly document: PageDocument }
  | {
      readonly kind: 'failed';
      readonly problem: string;
      /** The last one the site answered with; absent when no site answered. */
      readonly statusCode?: number;
      readonly cascade: CascadeReport;
      readonly action?: ActionFailure;
      /** The site does not allow `ScrapeTask.respectUse`: what it declares. */
      readonly refusedUse?: PageDocument['metadata']['contentUse'];
      /** The site asked for a login, though it got the cookies of the profile. */
      readonly isAuthExpired?: boolean;
      /** The address led to a document that could not be read. */
      readonly file?: FileProblem;
      /** Use of the vision model, which is counted even so. */
      readonly usage?: LlmUsage;
    }
  /** The cookies of a login, encrypted with the key of this id; base64. */
  | { readonly kind: 'login'; readonly keyId: string; readonly box: string }
  | { readonly kind: 'blocked'; readonly url: string }
  /** Only the cache was read, and no copy fits. */
  | { readonly kind: 'not_cached' }
  /** The request needs a browser and none can be started here. */
  | { readonly kind: 'unavailable'; readonly isPermanent?: boolean };
