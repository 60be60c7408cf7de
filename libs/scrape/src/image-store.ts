import { Deadline, newId, type ImageRef } from '@app/contracts';
import { screenshotKey, type BlobStore } from '@app/blobs';
import type { Screenshot } from '@app/fetch';
import { waitAtMost } from '@app/runtime';
import type { Logger } from '@app/telemetry';

/** The tenant of the image, and the deadline of the reply. */
export interface ImageTask {
  readonly tenantId: string;
  /** False: without object storage the image is part of the reply. */
  readonly upload: boolean;
  readonly deadlineAtMs: number;
}

const MIN_UPLOAD_MS = 250;

/** Puts images into object storage; if that fails the image is sent inline, and there is no error. */
export class ImageStore {
  constructor(
    private readonly blobs: BlobStore,
    private readonly log: Logger,
  ) {}

  async keep(image: Screenshot, task: ImageTask): Promise<ImageRef> {
    const { tenantId, upload, deadlineAtMs } = task;
    const { bytes, contentType } = image;
    const inline = (): ImageRef => ({ contentType, base64: Buffer.from(bytes).toString('base64') });
    if (!upload) return inline();
    const extension = contentType === 'image/png' ? 'png' : 'jpg';
    const key = screenshotKey(tenantId, { id: newId(), extension, madeAt: new Date() });
    try {
      // Slow storage must leave time to send the image itself.
      const maxWaitMs = Math.max(MIN_UPLOAD_MS, Deadline.at(deadlineAtMs).remainingMs() / 2);
      await waitAtMost(maxWaitMs, this.blobs.put(key, bytes, { contentType }));
      return { contentType, key };
    } catch (err) {
      this.log.warn({ err, tenantId }, 'a screenshot could not be stored; it is sent inline');
      return inline();
    }
  }
}
