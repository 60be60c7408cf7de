import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Runtime } from '@app/runtime';
import { createFirstTenant } from '@app/accounts';
import { createApp } from './create-app.js';
import { FetcherCall } from './fetchers/fetcher-call.js';
import { CONNECTION_REUSE_MS } from './http/create-http.js';
import { KeptConnections } from './http/kept-connections.js';
import { OpenRequests } from './http/open-requests.js';
import { SiteRunner } from './sites/site-runner.js';
import { startLoops } from './loops/start-loops.js';
import { PullRunner } from './runs/pull-runner.js';
import { FeedRunner } from './runs/feed-runner.js';
import { LiveJobs } from './jobs/results/live-jobs.js';

export interface RunningApi {
  /** URL it listens on. */
  readonly url: string;
  /** Resolves with the first tenant's key if this start created it, else null. */
  readonly firstKey: Promise<string | null>;
  /** First step of stopping: the timeout of {@link close} starts here. */
  stopLoops(): Promise<void>;
  /**
   * Serves on, for `CONNECTION_REUSE_MS` and `boundMs` at most, until clients have left the connections they use, with the
   * response to their next request. For a process beside which others serve: it is no longer ready, so new connections go
   * to those.
   */
  releaseConnections(boundMs: number): Promise<void>;
  /** Stops listening and waits for the requests in progress, at most this long. */
  close(boundMs: number): Promise<void>;
}

/** Serves at once; the loops start once the database is ready. */
export async function startApi(runtime: Runtime): Promise<RunningApi> {
  const { settings, log } = runtime;
  const app = await createApp(runtime);
  const requests = new OpenRequests(app.getHttpServer());
  const connections = new KeptConnections(app.getHttpServer());
  await runtime.releasePort?.();
  await app.listen(settings.port, settings.host);
  const { address, port, family } = app.getHttpServer().address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  let loops: ReturnType<typeof startLoops> | undefined;
  let stoppedAtMs = 0;
  const firstKey = runtime.databaseReady.then(async () => {
    const key = settings.bootstrapTenant ? await createFirstTenant(runtime.database) : null;
    const runners = [PullRunner, FeedRunner, SiteRunner].map((runner) => app.get(runner).open());
    loops = startLoops(runtime, app.get(LiveJobs), runners);
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
    releaseConnections: (boundMs) => connections.atRest(Math.min(CONNECTION_REUSE_MS, boundMs)),
    close: (boundMs) => closeWithin(app, requests, stoppedAtMs + boundMs - Date.now()),
  };
}

/** Time for responses in progress at the deadline, and for the errors sent to the waiting requests. */
const LAST_ANSWERS_MS = 500;

/**
 * At the deadline, requests that still wait for a page get an error. Connections that are open but unused, or that do not
 * read their response, would keep the server from closing: they are destroyed once no request is left, or at the deadline.
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
