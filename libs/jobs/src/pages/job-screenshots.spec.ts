import type { BlobStore } from '@app/blobs';
import type { ImageRef } from '@app/contracts';
import type { Screenshot } from '@app/fetch';
import { claimedPage, docsScope as scope, documentResult } from '../../test/claimed-page.js';
import type { ImageStore, ImageTask } from '../../../scrape/src/image-store.js';
import { JobScreenshots } from './job-screenshots.js';

const PICTURE: Screenshot = {
  bytes: new Uint8Array([1, 2, 3]),
  contentType: 'image/png',
  widthPx: 1,
  heightPx: 1,
};

function fixtureOf(kept: ImageRef, hasStorage = true) {
  const tasks: ImageTask[] = [];
  const images = {
    keep: async (_: Screenshot, task: ImageTask) => {
      tasks.push(task);
      return kept;
    },
  } as unknown as ImageStore;
  const blobs = {
    signedUrl: async (key: string, { expiresInSeconds }: { expiresInSeconds: number }) =>
      `http://blobs.example/${key}?for=${expiresInSeconds}`,
  } as unknown as BlobStore;
  return { tasks, screenshots: new JobScreenshots({ images, blobs, hasStorage }) };
}

const INLINE: ImageRef = { contentType: 'image/png', base64: 'AQID' };

describe('the picture of a page of a job', () => {
  it('has an address that is valid for a week', async () => {
    const { screenshots, tasks } = fixtureOf({ contentType: 'image/png', key: 'a/b.png' });
    const kept = await screenshots.keep(
      claimedPage(),
      documentResult({}, { screenshot: PICTURE }),
      scope,
    );
    expect(kept).toBe('http://blobs.example/a/b.png?for=604800');
    expect(tasks).toMatchObject([{ tenantId: 'tenant', upload: true }]);
  });

  it('is not taken where the page is not stored', async () => {
    const { screenshots, tasks } = fixtureOf(INLINE);
    const elsewhere = documentResult({ url: 'http://other.example/' }, { screenshot: PICTURE });
    expect(await screenshots.keep(claimedPage(), elsewhere, scope)).toBeUndefined();
    expect(tasks).toEqual([]);
  });

  it('is in the document itself where there is no storage for it', async () => {
    const { screenshots, tasks } = fixtureOf(INLINE, false);
    const kept = await screenshots.keep(
      claimedPage(),
      documentResult({}, { screenshot: PICTURE }),
      scope,
    );
    expect(kept).toBe('data:image/png;base64,AQID');
    expect(tasks).toMatchObject([{ upload: false }]);
  });

  it.each([
    ['of which none was taken', documentResult()],
    [
      'that is a document',
      documentResult(
        { file: { format: 'pdf', markdown: '', text: '' } as never },
        { screenshot: PICTURE },
      ),
    ],
    ['that was refused', { kind: 'blocked', url: 'http://a.example/' } as const],
  ])('of a page %s there is none', async (_, result) => {
    const { screenshots, tasks } = fixtureOf(INLINE);
    expect(await screenshots.keep(claimedPage(), result, scope)).toBeUndefined();
    expect(tasks).toEqual([]);
  });
});
