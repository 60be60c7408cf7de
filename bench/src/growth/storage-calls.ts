/** Calls to the object storage by operation: put, get, head, delete. */
export type StorageCalls = Readonly<Record<string, number>>;

const LINE = /^trawl_blob_operation_duration_seconds_count\{([^}]*)\} (\d+)$/gm;

/** Calls that the processes have made since they started. */
export async function storageCalls(metricsUrls: readonly string[]): Promise<StorageCalls> {
  const texts = await Promise.all(
    metricsUrls.map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  return countCalls(texts);
}

export function countCalls(texts: readonly string[]): StorageCalls {
  const calls: Record<string, number> = {};
  for (const text of texts)
    for (const [, labels = '', count] of text.matchAll(LINE)) {
      const operation = /operation="(\w+)"/.exec(labels)?.[1] ?? 'other';
      calls[operation] = (calls[operation] ?? 0) + Number(count);
    }
  return calls;
}

export function callsSince(before: StorageCalls, after: StorageCalls): StorageCalls {
  const entries = Object.entries(after);
  return Object.fromEntries(entries.map(([name, count]) => [name, count - (before[name] ?? 0)]));
}
