import { readSitemap, streamSitemap, type SitemapFile } from '@app/crawl';
import { runSteps } from '../threads/run-steps.js';
import { SiteLinks } from './site-links.js';
import type { FetchedSitemap, LinkFilter, SitemapReading } from './sitemap-task.js';

/** Maximum number of child sitemaps returned; no walk follows that many. */
const MAX_CHILDREN = 1_000;

/** Everything the file lists. */
function read(file: FetchedSitemap): Promise<SitemapFile> {
  return readSitemap([file.body], file);
}

/** The part of the file that the map needs. */
async function readForMap(
  task: FetchedSitemap & { readonly filter: LinkFilter },
): Promise<SitemapReading> {
  const found = new SiteLinks(task.filter);
  const children: string[] = [];
  let last: Pick<SitemapFile, 'kind' | 'cuts'> = { kind: 'unknown', cuts: [] };
  for await (const batch of streamSitemap([task.body], task)) {
    for (const { loc } of batch.links) found.add(loc);
    for (const { loc } of batch.children) if (children.length < MAX_CHILDREN) children.push(loc);
    last = batch;
  }
  const { links, bytes, siteLinks, folderLinks, isCut } = found;
  const cuts = isCut ? [...last.cuts, 'link_bytes' as const] : last.cuts;
  return { kind: last.kind, links, bytes, siteLinks, folderLinks, children, cuts };
}

const steps = { read, readForMap };
export type SitemapSteps = typeof steps;
export default runSteps(steps);
