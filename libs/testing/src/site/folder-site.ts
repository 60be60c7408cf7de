import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sendText, SiteServer, type SiteServerOptions, type Visit } from './site-server.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  // No charset, as most servers do: the page's own declaration must count.
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.gz': 'application/gzip',
};

/**
 * Serves a folder of real pages and records the requests. `/dir/` answers with its `index.html`,
 * `/dir` redirects there; nothing outside the folder is served.
 */
export function startFolderSite(dir: string, options: SiteServerOptions = {}): Promise<SiteServer> {
  const root = path.resolve(dir);
  return SiteServer.start((visit) => serveFile(root, visit), options);
}

async function serveFile(root: string, { url, response }: Visit): Promise<void> {
  const file = path.join(root, path.normalize(decodeURIComponent(url.pathname)));
  if (file !== root && !file.startsWith(root + path.sep)) return sendText(response, 403, 'outside');
  const found = await statOrNull(file);
  if (found?.isDirectory() && !url.pathname.endsWith('/')) {
    response.writeHead(301, { location: `${url.pathname}/` }).end();
    return;
  }
  const served = found?.isDirectory() ? path.join(file, 'index.html') : file;
  const size = found?.isDirectory() ? (await statOrNull(served))?.size : found?.size;
  if (size === undefined) return sendText(response, 404, 'Not Found');
  const type = CONTENT_TYPES[path.extname(served).toLowerCase()] ?? 'application/octet-stream';
  response.writeHead(200, { 'content-type': type, 'content-length': size });
  await pipeline(createReadStream(served), response);
}

async function statOrNull(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
