import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Runtime } from '@app/runtime';
import { createFirstTenant } from '@app/accounts';
import { createApp } from './create-app.js';
import { FetcherCall } from './fetchers/fetcher-call.js';
import { OpenRequests } from './http/open-requests.js';
import { startLoops } from './loops/start-loops.js';
import { LiveJobs } from './jobs/results/live-jobs.js';

export interface RunningApi {
  /** Address it listens on. */
  readonly url: string;
  /** Resolves with the key of the first tenant when this start made it, else null. */
  readonly firstKey: Promise<string | null>;
  /** The first step of stopping: the time of {@link close} counts from here. */
  stopLoops(): Promise<void>;
  /** Stops listening and waits for the requests in flight, at most this long. */
  close(boundMs: number): Promise<void>;
}

/** Serves at once; the loops start when the database is ready. */
export async function startApi(runtime: Runtime): Promise<RunningApi> {
  const { settings, log } = runtime;
  const app = await createApp(runtime);
  const requests = new OpenRequests(app.getHttpServer());
  await runtime.releasePort?.();
  await app.listen(settings.port, settings.host);
  const { address, port, family } = app.getHttpServer().address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  let loops: ReturnType<typeof startLoops> | undefined;
  let stoppedAtMs = 0;
  const firstKey = runtime.storeReady.then(async () => {
    const key = settings.bootstrapTenant ? await createFirstTenant(runtime.store) : null;
    loops = startLoops(runtime, app.get(LiveJobs));
    return key;
  });
  firstKey.catch((err: unknown) => log.warn({ err }, 'background work was not started'));
  log.info({ url }, 'listening');
  return {
    url,
    firstKey,
    stopLoops: async () => {
      stoppedAtMs = Date.now();
      app.get(LiveJobs).stop();
      await loops?.stop();
    },
    close: (boundMs) => closeWithin(app, requests, stoppedAtMs + boundMs - Date.now()),
  };
}

/** For answers on their way when the time is over, and for those that then say so. */
const LAST_ANSWERS_MS = 500;

/**
 * Who waits for a page longer than there is time is told so. Connections that a client opened and never used, or whose answer it does not read, would keep the
 * server from closing: once nothing is being answered, or the time is over, they are cut.
 */
async function closeWithin(
  app: NestFastifyApplication,
  requests: OpenRequests,
  boundMs: number,
): Promise<void> {
  const closed = app.close();
  await requests.none(Math.max(LAST_ANSWERS_MS, boundMs));
  app.get(FetcherCall).giveUp();
  await requests.none(LAST_ANSWERS_MS);
  app.getHttpServer().closeAllConnections();
  await closed;
}
