import type { Listing } from './listing.js';
import type { LlmOutput, LlmRequest, LlmUsage } from './llm.js';
import type { Chunk, FileProblem, ParsedFile } from './parsed-file.js';
import type { Plan } from './plans.js';

/** Folder of the blob store where sources of a {@link ConvertTask} wait. */
export const UPLOAD_FOLDER = 'uploads/';

/** Request of the `convert` queue: content the caller brought, nothing is fetched. */
export interface ConvertTask {
  readonly requestId: string;
  readonly tenantId: string;
  /** That of the tenant: plans differ in their share of the slots. */
  readonly plan: Plan;
  readonly source: ConvertSource;
  readonly listing: boolean;
  readonly llm: LlmRequest | null;
  /** Adds {@link Chunk}s. */
  readonly chunks: boolean;
  /** Of a PDF. @default neither */
  readonly filePages?: boolean | 'sources';
  readonly pageMarkers?: boolean;
  /** Most tokens of a file's Markdown. @default all of it */
  readonly maxTokens?: number;
  readonly deadlineAtMs: number;
}

export interface ConvertSource {
  readonly kind: 'html' | 'markdown' | 'file';
  /** Blob key; the API deletes it when the reply is there. */
  readonly key: string;
  /** Base of relative addresses in HTML; null: they are left out. */
  readonly url: string | null;
  /** Of a file, as its sender calls it. @default unknown */
  readonly name?: string;
  readonly contentType?: string;
}

/** Answer to a {@link ConvertTask}. */
export type ConvertReply =
  | {
      readonly kind: 'converted';
      readonly markdown: string;
      readonly listing?: Listing | null;
      readonly llm?: LlmOutput;
      readonly file?: ParsedFile;
      readonly chunks?: readonly Chunk[];
      readonly truncatedBy?: string;
    }
  | {
      readonly kind: 'failed';
      readonly problem: FileProblem | 'timeout';
      readonly message: string;
      /** Use of the vision model, which is counted even so. */
      readonly usage?: LlmUsage;
    };
