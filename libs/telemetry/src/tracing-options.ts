import type { Logger } from './logger.js';

export interface TracingOptions {
  /** Base address of the collector; undefined: nothing is traced, and the SDK is not loaded. */
  readonly endpoint: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Share of traces that are kept, 0 to 1. */
  readonly share: number;
  /** The app: `api`, `fetcher`, `tech-scan` or `standalone`. */
  readonly component: string;
  readonly version: string;
  readonly log: Logger;
}

export interface Tracing {
  /** Sends what is left, for a short time at most. */
  stop(): Promise<void>;
}
