import { markdownParts } from '@app/content';
import type { MarkdownParts, WantedParts } from '@app/contracts';

/** The Markdown of a page, and the parts of it that are wanted. */
export interface PartsTask {
  readonly markdown: string;
  /** Address of the page. */
  readonly url: string;
  /** Language tag that it declares. */
  readonly language?: string | undefined;
  readonly wanted: WantedParts;
}

/** A step of threads. */
export function findParts({ wanted, ...page }: PartsTask): MarkdownParts {
  return markdownParts(page, wanted);
}

/** The document of a page as a job stored it, and the parts of its Markdown that are wanted. */
export interface StoredPartsTask {
  /** JSON. Inflated by the caller: `node:zlib` in a thread that is ended could end the process. */
  readonly document: Uint8Array;
  readonly wanted: WantedParts;
}

interface StoredPage {
  readonly url: string;
  readonly markdown: string;
  readonly metadata: { readonly language?: string };
}

/** A step of threads. Null: the document has no Markdown, or it is damaged. */
export function findStoredParts({ document, wanted }: StoredPartsTask): MarkdownParts | null {
  const { markdown, url, metadata } = pageOf(document) ?? {};
  if (typeof markdown !== 'string' || typeof url !== 'string') return null;
  return markdownParts({ markdown, url, language: metadata?.language }, wanted);
}

/** Written by ourselves, in the form of `crawlResult`. */
function pageOf(document: Uint8Array): Partial<StoredPage> | null {
  try {
    return JSON.parse(new TextDecoder().decode(document)) as Partial<StoredPage> | null;
  } catch {
    return null;
  }
}
