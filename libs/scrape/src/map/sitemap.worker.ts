import '../threads/low-priority.js';
import { readSitemap, streamSitemap, type SitemapFile } from '@app/crawl';
import { SiteLinks } from './site-links.js';
import type { LinkFilter, SitemapReading, SitemapResult, SitemapTask } from './sitemap-task.js';

/** Maximum number of child sitemaps returned; no walk follows that many. */
const MAX_CHILDREN = 1_000;

/** Runs in a sitemap thread: takes the bytes of one file, returns its links. */
export default function runSitemapTask(task: SitemapTask): Promise<SitemapResult> {
  return task.filter === null ? readSitemap([task.body], task) : readForMap(task, task.filter);
}

async function readForMap(task: SitemapTask, filter: LinkFilter): Promise<SitemapReading> {
  const found = new SiteLinks(filter);
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
