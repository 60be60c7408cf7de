import { containingStrays } from './stray-rejections.js';

const strayOf = (stack: string): Error => Object.assign(new Error('stray'), { stack });
const PDFJS =
  'Error: stray\n    at read (/app/node_modules/pdfjs-dist/legacy/build/pdf.worker.mjs:1:1)';
const OURS = 'Error: stray\n    at read (/app/dist/libs/content/src/index.js:1:1)';

describe('containingStrays', () => {
  it('drops rejections that pdf.js leaves behind, and no others', async () => {
    const before = process.listeners('unhandledRejection');
    await containingStrays(async () => {
      const added = process.listeners('unhandledRejection').filter((one) => !before.includes(one));
      const report = (stray: Error) => added.forEach((one) => one(stray, Promise.resolve()));
      expect(added).toHaveLength(1);
      expect(() => report(strayOf(PDFJS))).not.toThrow();
      expect(() => report(strayOf(OURS))).toThrow('stray');
      await Promise.resolve();
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
