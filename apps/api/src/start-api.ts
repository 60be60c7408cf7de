import type { AddressInfo } from 'node:net';
import type { Runtime } from '@app/runtime';
import { createFirstTenant } from '@app/store';
import { createApp } from './create-app.js';
import { startLoops } from './loops/start-loops.js';

export interface RunningApi {
  /** Address it listens on. */
  readonly url: string;
  /** Resolves with the key of the first tenant when this start made it, else null. */
  readonly firstKey: Promise<string | null>;
  stopLoops(): Promise<void>;
  /** Stops listening and waits for the requests in flight. */
  close(): Promise<void>;
}

/** Serves at once; the loops start when the database is ready. */
export async function startApi(runtime: Runtime): Promise<RunningApi> {
  const { settings, log } = runtime;
  const app = await createApp(runtime);
  await app.listen(settings.port, settings.host);
  const { address, port, family } = app.getHttpServer().address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  let loops: ReturnType<typeof startLoops> | undefined;
  const firstKey = runtime.storeReady.then(async () => {
    const key = settings.bootstrapTenant ? await createFirstTenant(runtime.store) : null;
    loops = startLoops(runtime);
    return key;
  });
  firstKey.catch((err: unknown) => log.warn({ err }, 'background work was not started'));
  log.info({ url }, 'listening');
  return {
    url,
    firstKey,
    stopLoops: async () => loops?.stop(),
    close: () => app.close(),
  };
}
