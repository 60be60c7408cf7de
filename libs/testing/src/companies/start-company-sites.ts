import { sendText, SiteServer, type Visit } from '../site/site-server.js';
import { type CompanySite, loadCompanySites } from './load-company-sites.js';

export interface CompanyServer extends CompanySite {
  /** On a port of its own: each site is a host of its own. */
  readonly server: SiteServer;
  /** Of the homepage. */
  readonly url: string;
}

export interface CompanyServers {
  readonly sites: readonly CompanyServer[];
  close(): Promise<void>;
}

/**
 * Serves the fixture's companies (or those of the names given), each on a loopback port of its own,
 * with a robots.txt that allows all. The pages keep the addresses of their own domains, so that mail
 * addresses are of another host than the one the pages come from.
 */
export async function startCompanySites(names?: readonly string[]): Promise<CompanyServers> {
  const chosen = loadCompanySites().filter(({ name }) => names?.includes(name) ?? true);
  const unknown = names?.filter((name) => chosen.every((site) => site.name !== name)) ?? [];
  if (unknown.length > 0) throw new Error(`no such company sites: ${unknown.join(', ')}`);
  const sites = await Promise.all(chosen.map(startSite));
  return {
    sites,
    close: async () => {
      await Promise.all(sites.map(({ server }) => server.close()));
    },
  };
}

async function startSite(site: CompanySite): Promise<CompanyServer> {
  const server = await SiteServer.start((visit) => servePage(site, visit));
  return { ...site, server, url: server.url('/') };
}

function servePage({ pages }: CompanySite, { url, response }: Visit): void {
  const path = url.pathname === '/' ? '/' : url.pathname.replace(/(?<!\/)\/+$/, '');
  if (path === '/robots.txt') return sendText(response, 200, 'User-agent: *\nAllow: /\n');
  const html = pages.get(path);
  if (html === undefined) return sendText(response, 404, 'Not Found');
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
}
