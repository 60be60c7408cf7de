import { Deadline, newId, type ImageRef } from '@app/contracts';
import { screenshotKey, type BlobStore } from '@app/blobs';
import type { Screenshot } from '@app/fetch';
import { waitAtMost } from '@app/database';
import type { Logger } from '@app/telemetry';

/** Whose picture it is, and until when the answer is due. */
export interface ImageTask {
  readonly tenantId: string;
  /** False: there is no object storage, the image travels in the answer. */
  readonly upload: boolean;
  readonly deadlineAtMs: number;
}

const MIN_UPLOAD_MS = 250;

/** Puts images into object storage; when that fails the image itself is the answer, never an error. */
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
      // Storage that is slow must leave time for the image itself to be sent.
      const patienceMs = Math.max(MIN_UPLOAD_MS, Deadline.at(deadlineAtMs).remainingMs() / 2);
      await waitAtMost(patienceMs, this.blobs.put(key, bytes, { contentType }));
      return { contentType, key };
    } catch (err) {
      this.log.warn({ err, tenantId }, 'a screenshot could not be stored; it is sent inline');
      return inline();
    }
  }
}
