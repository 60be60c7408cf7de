// The types of libs/client, generated from the OpenAPI document of the built API. No server runs: the document is
// a function of the controllers.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import prettier from 'prettier';

import { root } from './bootstrap.mjs';

/** File that `npm run format` writes. */
export const CLIENT_TYPES = 'libs/client/src/api-types.ts';

const HEAD = '// Generated from /openapi.json by `npm run format`. Do not edit.\n';

const built = (file) => import(path.join(root, 'dist', file));

/** The document as a service with default settings serves it. */
export async function readOpenApi() {
  await import('reflect-metadata');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'trawl-openapi-'));
  const runtime = await offlineRuntime(folder);
  const { createApp } = await built('apps/api/src/create-app.js');
  try {
    const app = await createApp(runtime);
    const response = await app.getHttpAdapter().getInstance().inject('/openapi.json');
    await app.close();
    return response.json();
  } finally {
    await runtime.queue.close();
    await runtime.blobs.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ports that connect to nothing. */
async function offlineRuntime(folder) {
  const [{ loadSettings }, { Database }, { openTaskQueue }, { openBlobStore }, telemetry] =
    await Promise.all(
      ['config', 'database', 'broker', 'blobs', 'telemetry'].map((lib) =>
        built(`libs/${lib}/src/index.js`),
      ),
    );
  const { createLogger, Health, Metrics } = telemetry;
  const publicUrl = 'http://127.0.0.1:3000';
  const downloadSecret = new Uint8Array(32);
  return {
    settings: loadSettings({}),
    log: createLogger({ level: 'fatal', component: 'openapi' }),
    metrics: new Metrics(),
    health: new Health(),
    database: new Database({ url: 'postgres://127.0.0.1/none', poolSize: 1 }),
    queue: openTaskQueue({ url: 'memory:' }),
    blobs: openBlobStore({ url: pathToFileURL(folder).href, publicUrl, downloadSecret }),
    downloadSecret,
    publicUrl,
  };
}

/**
 * The parts that a client uses: operations under /v1 with their successful responses. The client itself handles
 * errors and headers, and only repeats would be left of them.
 */
function forClients(document) {
  const paths = Object.entries(document.paths).filter(([address]) => address.startsWith('/v1/'));
  return {
    ...document,
    paths: Object.fromEntries(paths.map(([address, item]) => [address, withoutErrors(item)])),
  };
}

function withoutErrors(item) {
  const operations = Object.entries(item).map(([method, operation]) => {
    const responses = Object.entries(operation.responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, { headers: _, ...response }]) => [status, response]);
    const parameters = (operation.parameters ?? []).filter((one) => one.in && one.in !== 'header');
    return [method, { ...operation, parameters, responses: Object.fromEntries(responses) }];
  });
  return Object.fromEntries(operations);
}

/** Text of {@link CLIENT_TYPES} for a document, before formatting. */
export async function clientTypes(document) {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const types = await openapiTS(forClients(document), { emptyObjectsUnknown: true });
  const { items } = document.components.schemas.JobScrapeFields.properties.formats;
  const names = items.anyOf.find((one) => one.enum).enum;
  return `${HEAD}/** Version of the API that these types describe. */
export const API_VERSION = '${document.info.version}';
/** Formats of the pages of a job: those of a scrape that need no model. */
export const PAGE_FORMATS = ${JSON.stringify(names)} as const;
${astToString(types)}`;
}

/** `node scripts/client-types.mjs openapi.json` prints the formatted types for a document. */
async function printTypes(file) {
  const filepath = path.join(root, CLIENT_TYPES);
  const options = { ...(await prettier.resolveConfig(filepath)), filepath };
  const document = JSON.parse(readFileSync(file, 'utf8'));
  process.stdout.write(await prettier.format(await clientTypes(document), options));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await printTypes(process.argv[2]);
