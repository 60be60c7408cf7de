import { Dialler, FilteringProxy } from '@app/egress';
import { freePort } from '@app/processes';
import { SiteServer, type Serve } from '@app/testing';
import type { FetchedPage } from '../src/fetch-rung.js';
import {
  createImpersonatingProvider,
  type ImpersonatingProvider,
} from '../src/unblock/impersonating.provider.js';
import type { ProviderResult } from '../src/unblock/unblock-provider.js';
import { loopbackGuard } from './fetch-request.js';

/** Limits that a busy machine keeps, too. */
export const PATIENT = { requestHeadTimeoutMs: 60_000, connectTimeoutMs: 60_000 } as const;

/** Another name of the same site. */
export const OTHER = 'other.example';

/** A site, the real proxy before it and the provider; all closed together. */
export interface Bench {
  readonly site: SiteServer;
  readonly provider: ImpersonatingProvider;
  /** A port that the provider may connect to, without a listener. */
  readonly closedPort: number;
  /** Sessions that were opened of the proxy. */
  readonly opened: { readonly country: string | null }[];
  close(): Promise<void>;
}

export async function startBench(serve: Serve): Promise<Bench> {
  const site = await SiteServer.start(serve);
  const closedPort = await freePort();
  const { guard } = loopbackGuard([site.port, closedPort], ['site.example', OTHER]);
  const dialler = new Dialler({ guard, connectTimeoutMs: 60_000 });
  const proxy = new FilteringProxy({ guard, dialler, limits: PATIENT });
  await proxy.start();
  const opened: { readonly country: string | null }[] = [];
  const proxyPorts: Pick<FilteringProxy, 'openSession'> = {
    openSession(options) {
      opened.push(options);
      return proxy.openSession(options);
    },
  };
  const provider = createImpersonatingProvider({ guard, proxyPorts });
  if (provider === null) throw new Error('no native client on this platform');
  const close = async () => {
    await provider.close();
    await proxy.close();
    await site.close();
  };
  return { site, provider, closedPort, opened, close };
}

/** The page of a result; fails the test when there is none. */
export function fetchedPageOf(result: ProviderResult): FetchedPage {
  if (result.ok && 'page' in result) return result.page;
  throw new Error(`no page: ${JSON.stringify(result)}`);
}

/** Its body as text. */
export function bodyText(result: ProviderResult): string {
  return new TextDecoder().decode(fetchedPageOf(result).body);
}
