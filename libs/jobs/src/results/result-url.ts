import { downloadUrl } from '@app/blobs';
import type { Runtime } from '@app/runtime';

/**
 * Address of a job's result file, null when it has none. It leads to our API whatever the storage, for
 * the file is packed there. Signed anew at each call, so a link in hand is good for its full time.
 */
export function resultUrl(
  {
    publicUrl,
    downloadSecret: secret,
    settings,
  }: Pick<Runtime, 'settings' | 'downloadSecret' | 'publicUrl'>,
  { id, resultKey }: { readonly id: string; readonly resultKey: string | null },
): string | null {
  if (resultKey === null) return null;
  return downloadUrl(
    { key: resultKey, fileName: `crawl-${id}.json`, contentType: 'application/json' },
    { publicUrl, secret, expiresInSeconds: settings.resultUrlSeconds },
  );
}
