import { createRequire } from 'node:module';

/** What is used of an answer. */
export interface ImpersonatedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array>;
}

export interface ImpersonatedInit {
  /** In the order in which they go out; they replace and precede the client's own. */
  readonly headers: [string, string][];
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** What is used of the native client. */
export interface ImpersonatedClient {
  fetch(url: string, init: ImpersonatedInit): Promise<ImpersonatedAnswer>;
}

/** Certificates are always verified: there is no field to switch that off. */
export interface ImpersonatedClientOptions {
  readonly browser: string;
  readonly proxyUrl: string;
  readonly followRedirects: false;
  readonly http3: false;
}

export interface ImpersonationModule {
  readonly Impit: new (options: ImpersonatedClientOptions) => ImpersonatedClient;
}

/**
 * Loads the native client, which exists for some platforms only, when it is first wanted.
 * @throws Error when there is none for this platform
 */
export function loadImpersonation(): ImpersonationModule {
  const require = createRequire(import.meta.url);
  return require('impit') as ImpersonationModule;
}
