import { Deadline, newId, type ImageRef, type Plan } from '@app/contracts';
import { screenshotKey, type BlobStore } from '@app/blobs';
import type { Screenshot } from '@app/fetch';
import { waitAtMost } from '@app/runtime';
import type { Logger } from '@app/telemetry';

/** The tenant of the image, and the deadline of the reply. */
export interface ImageTask {
  readonly tenantId: string;
  readonly plan: Plan;
  /** False: without object storage the image is part of the reply. */
  readonly upload: boolean;
  readonly deadlineAtMs: number;
}

const MIN_UPLOAD_MS = 250;

export interface ImageStoreOptions {
  readonly blobs: BlobStore;
  readonly log: Logger;
  /** Counts an image that is to be stored. Null: there is no room; otherwise a function that takes the count back. */
  takeRoom(image: {
    readonly tenantId: string;
    readonly plan: Plan;
    readonly bytes: number;
  }): Promise<(() => Promise<void>) | null>;
}

/**
 * Puts images into object storage. If that fails, or the storage of the plan is full, the image is sent inline, and there
 * is no error.
 */
export class ImageStore {
  constructor(private readonly options: ImageStoreOptions) {}

  async keep(image: Screenshot, task: ImageTask): Promise<ImageRef> {
    const { tenantId, upload, deadlineAtMs } = task;
    const { bytes, contentType } = image;
    const inline = (): ImageRef => ({ contentType, base64: Buffer.from(bytes).toString('base64') });
    if (!upload) return inline();
    try {
      // Slow storage must leave time to send the image itself.
      const maxWaitMs = Math.max(MIN_UPLOAD_MS, Deadline.at(deadlineAtMs).remainingMs() / 2);
      const key = await waitAtMost(maxWaitMs, this.put(image, task));
      return key === null ? inline() : { contentType, key };
    } catch (err) {
      this.options.log.warn(
        { err, tenantId },
        'a screenshot could not be stored; it is sent inline',
      );
      return inline();
    }
  }
  /** @returns the key, or null: there is no room */
  private async put(
    { bytes, contentType }: Screenshot,
    { tenantId, plan }: ImageTask,
  ): Promise<string | null> {
    const { blobs, takeRoom } = this.options;
    const giveBack = await takeRoom({ tenantId, plan, bytes: bytes.byteLength });
    if (giveBack === null) return null;
    const extension = contentType === 'image/png' ? 'png' : 'jpg';
    const key = screenshotKey(tenantId, { id: newId(), extension, madeAt: new Date() });
    try {
      await blobs.put(key, bytes, { contentType });
      return key;
    } catch (error) {
      await giveBack().catch(() => undefined);
      throw error;
    }
  }
}
