import { setImmediate as nextTurn } from 'node:timers/promises';

/** Works under way that want the listener. */
let works = 0;

/**
 * Runs work on a PDF. On some damaged files pdf.js leaves an unawaited promise behind;
 * its rejection would end the thread, though the read itself goes on and answers.
 */
export async function containingStrays<Result>(work: () => Promise<Result>): Promise<Result> {
  if (works++ === 0) process.on('unhandledRejection', dropStray);
  try {
    return await work();
  } finally {
    // Rejections are reported a turn after they happened.
    await nextTurn();
    if (--works === 0) process.off('unhandledRejection', dropStray);
  }
}

function dropStray(reason: unknown): void {
  const isOfPdfjs = reason instanceof Error && String(reason.stack).includes('pdfjs-dist');
  // Any other ends the thread, as it would without this listener.
  if (!isOfPdfjs) throw reason;
}
