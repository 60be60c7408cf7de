import { containingStrays } from './stray-rejections.js';

const strayOf = (stack: string): Error => Object.assign(new Error('stray'), { stack });
const PDFJS =
  'Error: stray\n    at read (/app/node_modules/pdfjs-dist/legacy/build/pdf.worker.mjs:1:1)';
const OURS = 'Error: stray\n    at read (/app/dist/libs/content/src/index.js:1:1)';

describe('containingStrays', () => {
  it('drops what pdf.js leaves behind, and nobody else', async () => {
    await containingStrays(async () => {
      const promise = Promise.resolve();
      expect(() => process.emit('unhandledRejection', strayOf(PDFJS), promise)).not.toThrow();
      expect(() => process.emit('unhandledRejection', strayOf(OURS), promise)).toThrow('stray');
      await promise;
    });
  });

  it('listens while the last of several works runs, and no longer', async () => {
    const before = process.listenerCount('unhandledRejection');
    const during = await Promise.all(
      [1, 2].map(() =>
        containingStrays(() => Promise.resolve(process.listenerCount('unhandledRejection'))),
      ),
    );
    expect(during).toEqual([before + 1, before + 1]);
    expect(process.listenerCount('unhandledRejection')).toBe(before);
  });

  it('passes on what the work throws', async () => {
    const before = process.listenerCount('unhandledRejection');
    await expect(containingStrays(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect(process.listenerCount('unhandledRejection')).toBe(before);
  });
});
