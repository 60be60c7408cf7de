import type { SpawnedApp } from '@app/testing';

/** Environment of an app whose garbage is to be collected. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' } as const;

/** Longer than any heap of a test takes. */
const COLLECT_MS = 30_000;

/** Where the inspector of an app listens that was started with {@link INSPECTED}. */
export async function inspectorOf(app: SpawnedApp): Promise<string> {
  const line = await app.process.waitForLine(/^Debugger listening on ws:/);
  return line.slice(line.indexOf('ws:')).trim();
}

/**
 * Collects all garbage of its main thread: an engine that has room leaves it where it is, and what is resident then
 * says nothing of what is held.
 */
export async function collectGarbage(inspector: string): Promise<void> {
  const socket = new WebSocket(inspector);
  const cut = AbortSignal.timeout(COLLECT_MS);
  const answered = new Promise<void>((resolve, reject) => {
    socket.onopen = () => socket.send('{"id": 1, "method": "HeapProfiler.collectGarbage"}');
    socket.onerror = () => reject(new Error(`no inspector at ${inspector}`));
    socket.onclose = () => reject(new Error('the inspector hung up'));
    socket.onmessage = ({ data }) => {
      const { id, error } = JSON.parse(String(data)) as { id?: number; error?: unknown };
      if (id === 1 && error) reject(new Error(JSON.stringify(error)));
      else if (id === 1) resolve();
    };
    cut.onabort = () => reject(new Error(`garbage was not collected within ${COLLECT_MS} ms`));
  });
  try {
    await answered;
  } finally {
    socket.close();
  }
}
