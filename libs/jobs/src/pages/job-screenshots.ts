import { type BlobStore, MAX_SIGNED_SECONDS } from '@app/blobs';
import type { Scope } from '@app/crawl';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import type { ImageStore, PageResult } from '@app/scrape';
import { isStored } from './page-ending.js';

/** How long storage may take for a picture before it goes into the document itself. */
const STORE_TIMEOUT_MS = 10_000;

export interface JobScreenshotsOptions {
  readonly images: ImageStore;
  readonly blobs: BlobStore;
  /** There is object storage: pictures go there, and documents name their address. */
  readonly hasStorage: boolean;
}

/** Pictures of the pages of jobs. */
export class JobScreenshots {
  constructor(private readonly options: JobScreenshotsOptions) {}

  /**
   * Stores the screenshot of a page, if the page itself is stored. Returns a value for `<img src>`: a URL valid for a week, the
   * longest storage signs for, or the picture itself; undefined when there is none.
   */
  async keep(page: ClaimedPage, result: PageResult, scope: Scope): Promise<string | undefined> {
    const isPictured = result.kind === 'document' && result.document.file === undefined;
    if (!isPictured || result.screenshot === null) return undefined;
    if (!isStored(page, result, scope)) return undefined;
    const { images, blobs, hasStorage } = this.options;
    const image = await images.keep(result.screenshot, {
      tenantId: page.tenantId,
      plan: page.plan,
      upload: hasStorage,
      // Storage may use half of it.
      deadlineAtMs: Date.now() + 2 * STORE_TIMEOUT_MS,
    });
    const { contentType } = image;
    if (!('key' in image)) return `data:${contentType};base64,${image.base64}`;
    const fileName = image.key.slice(image.key.lastIndexOf('/') + 1);
    return blobs.signedUrl(image.key, {
      expiresInSeconds: MAX_SIGNED_SECONDS,
      fileName,
      contentType,
    });
  }
}
