import { Injectable } from '@nestjs/common';
import type { ImageRef } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { InjectRuntime } from '../runtime.token.js';

/** How clients receive images: by URL if there is object storage, else inline. */
@Injectable()
export class ImageLinks {
  constructor(@InjectRuntime() private readonly runtime: Pick<Runtime, 'settings' | 'blobs'>) {}

  /** Whether images are stored in object storage (specification: Screenshot result). */
  get hasStorage(): boolean {
    return this.origin !== null;
  }

  /** Of the URLs of images; null without object storage. */
  get origin(): string | null {
    const { storageUrl, storagePublicUrl } = this.runtime.settings;
    if (!storageUrl?.startsWith('s3+')) return null;
    return new URL(storagePublicUrl ?? storageUrl.slice('s3+'.length)).origin;
  }

  async urlOf({ contentType, key }: Extract<ImageRef, { key: string }>): Promise<string> {
    const { blobs, settings } = this.runtime;
    return blobs.signedUrl(key, {
      expiresInSeconds: settings.resultUrlSeconds,
      fileName: key.slice(key.lastIndexOf('/') + 1),
      contentType,
    });
  }

  /** URL or data URI: the value for an `<img src>`. */
  async srcOf(image: ImageRef): Promise<string> {
    return 'key' in image ? this.urlOf(image) : `data:${image.contentType};base64,${image.base64}`;
  }
}
