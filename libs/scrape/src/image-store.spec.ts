import type { BlobStore } from '@app/blobs';
import type { Screenshot } from '@app/fetch';
import { createLogger } from '@app/telemetry';
import { ImageStore, type ImageTask } from './image-store.js';

const PICTURE: Screenshot = {
  bytes: new Uint8Array([1, 2, 3]),
  contentType: 'image/png',
  widthPx: 1,
  heightPx: 1,
};
const INLINE = { contentType: 'image/png', base64: 'AQID' };
const task = (): ImageTask => ({
  tenantId: 'tenant',
  plan: 'free',
  upload: true,
  deadlineAtMs: Date.now() + 60_000,
});

describe('a screenshot that is kept', () => {
  let counted = 0;
  const stored: string[] = [];
  beforeEach(() => {
    counted = 0;
    stored.length = 0;
  });
  const storeOf = ({ hasRoom = true, put = async (key: string) => void stored.push(key) } = {}) =>
    new ImageStore({
      blobs: { put } as unknown as BlobStore,
      log: createLogger({ level: 'silent', component: 'spec' }),
      takeRoom: async ({ bytes }) => {
        if (!hasRoom) return null;
        counted += bytes;
        return async () => void (counted -= bytes);
      },
    });

  it('is counted and stored', async () => {
    const kept = await storeOf().keep(PICTURE, task());
    expect(kept).toEqual({ contentType: 'image/png', key: stored[0] });
    expect(counted).toBe(3);
  });

  it('is sent inline where the plan has no room for it, and nothing is stored', async () => {
    expect(await storeOf({ hasRoom: false }).keep(PICTURE, task())).toEqual(INLINE);
    expect(stored).toEqual([]);
  });

  it('is sent inline and not counted where storage fails', async () => {
    const put = () => Promise.reject(new Error('away'));
    expect(await storeOf({ put }).keep(PICTURE, task())).toEqual(INLINE);
    expect(counted).toBe(0);
  });
});
