import { newId, type ImageRef } from '@app/contracts';
import type { BlobStore } from '@app/blobs';
import type { Screenshot } from '@app/fetch';
import type { Logger } from '@app/telemetry';

/** Puts images into object storage; when that fails the image itself is the answer, never an error. */
export class ImageStore {
  constructor(
    private readonly blobs: BlobStore,
    private readonly log: Logger,
  ) {}

  /** @param upload false: there is no object storage, the image travels in the answer */
  async keep(image: Screenshot, tenantId: string, upload: boolean): Promise<ImageRef> {
    const { bytes, contentType } = image;
    const inline = (): ImageRef => ({ contentType, base64: Buffer.from(bytes).toString('base64') });
    if (!upload) return inline();
    const key = `tenants/${tenantId}/screenshots/${newId()}.${contentType === 'image/png' ? 'png' : 'jpg'}`;
    try {
      await this.blobs.put(key, bytes, { contentType });
      return { contentType, key };
    } catch (err) {
      this.log.warn({ err, tenantId }, 'a screenshot could not be stored; it is sent inline');
      return inline();
    }
  }
}
