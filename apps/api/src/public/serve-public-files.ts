import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { payPerCallTerms } from '@app/config';
import type { Runtime } from '@app/runtime';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { loadPublicFiles } from './public-files.js';
import { acceptsGzip } from '../http/accept-encoding.js';
import { documentErrorFormat, ERROR_SCHEMAS } from '../http/describe-errors.js';
import { documentIdempotency } from '../http/documented.js';
import { documentRateHeaders } from '../accounts/limits/describe-limits.js';
import { documentPayments } from '../accounts/pay-per-call/describe-payments.js';
import { OPENAPI_WEBHOOKS } from '../jobs/webhooks/describe-webhooks.js';
import { completeOpenApi } from './complete-openapi.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
/** Specification: Key provisioning and public files. */
const CACHE_CONTROL = 'public, max-age=3600';

/** What is served at one path. */
type File = () => { readonly type: string; readonly text: string };

/**
 * Serves the public files without a key: the API's description and the texts for agents. Also answers GET / with links to
 * them. They are made of the controllers for the first request, once: it takes 0.1 s, which a start need not wait for.
 * @returns the OpenAPI document, made on first use
 */
export function servePublicFiles(
  app: NestFastifyApplication,
  { publicUrl, settings }: Pick<Runtime, 'publicUrl' | 'settings'>,
): () => OpenAPIObject {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const made = once(() => {
    const isPaidByCall = payPerCallTerms(settings) !== null;
    const document = describeApi(app, { publicUrl, isPaidByCall });
    const exampleUrl = settings.exampleUrl.replace(/(?:(?<!\/)\/+)?$/, '/');
    return {
      document,
      openApi: JSON.stringify(document),
      ...loadPublicFiles({ document, publicUrl, exampleUrl }),
    };
  });
  const files: Readonly<Record<string, File>> = {
    '/openapi.json': () => ({ type: JSON_TYPE, text: made().openApi }),
    '/agent-onboarding': () => ({ type: MARKDOWN, text: made().quickStart }),
    '/agent-onboarding/SKILL.md': () => ({ type: MARKDOWN, text: made().quickStart }),
    '/agent-onboarding/MANIFEST.md': () => ({ type: MARKDOWN, text: made().manifest }),
    '/llms.txt': () => ({ type: PLAIN, text: made().llms }),
    '/llms-full.txt': () => ({ type: PLAIN, text: made().llmsFull }),
  };
  for (const [path, file] of Object.entries(files)) fastify.get(path, answerOf(file));
  serveStart(fastify, () => made().startPage);
  return () => made().document;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Links for programs. */
const DIRECTORY = {
  service: 'trawl',
  dashboard: '/dashboard',
  docs: '/llms-full.txt',
  openapi: '/openapi.json',
  health: '/health/ready?verbose',
  llms: '/llms.txt',
  onboarding: '/agent-onboarding',
} as const;

/** GET / serves the links: as a page to browsers, as JSON to programs. */
function serveStart(fastify: FastifyInstance, page: () => string): void {
  const forPrograms = answerOf(() => ({ type: JSON_TYPE, text: JSON.stringify(DIRECTORY) }));
  const policy = once(() => policyOf(page()));
  const forBrowsers = answerOf(() => ({ type: HTML, text: page() }));
  fastify.get('/', async (request, reply) => {
    void reply.header('vary', 'Accept');
    if (!prefersHtml(request.headers.accept)) return forPrograms(request, reply);
    void reply.header('content-security-policy', policy());
    return forBrowsers(request, reply);
  });
}

/** Browsers put HTML first; programs put JSON, anything or nothing (RFC 9110, 12.5.1). */
function prefersHtml(accept = ''): boolean {
  const types = accept.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  const html = types.indexOf('text/html');
  const json = types.indexOf('application/json');
  return html !== -1 && (json === -1 || html < json);
}

/** The page runs no script and loads nothing; its one style element is allowed by its hash. */
function policyOf(page: string): string {
  const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const compressed = promisify(gzip);

/** Answers 304 to a client whose copy is current (RFC 9110, 13.1.2). The server itself handles HEAD. */
function answerOf(file: File): Answer {
  const known = once(() => {
    const { type, text } = file();
    const hash = createHash('sha256').update(text).digest('base64url');
    // Compressed once: anyone may request them, as often as they like.
    return { type, text, tag: hash.slice(0, 22), gzipped: compressed(text) };
  });
  return async ({ headers }, reply) => {
    const { type, text, tag, gzipped } = known();
    const isGzipped = acceptsGzip(headers['accept-encoding']?.toString());
    // Each form has its own (RFC 9110, 8.8.3.3).
    const etag = isGzipped ? `"${tag}-gzip"` : `"${tag}"`;
    void reply.header('etag', etag).header('cache-control', CACHE_CONTROL);
    void reply.header(
      'vary',
      reply.hasHeader('vary') ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
    );
    if (isKnown(headers['if-none-match'], etag)) return reply.status(304).send();
    void reply.header('content-type', type);
    if (!isGzipped) return reply.send(text);
    return reply.header('content-encoding', 'gzip').send(await gzipped);
  };
}

function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}

/** Version of the API description (specification: Versioning). */
const DESCRIPTION_VERSION = '0.1.0';

interface Described {
  /** Base URL of the service. */
  readonly publicUrl: string;
  /** Whether calls can be paid for one by one. */
  readonly isPaidByCall: boolean;
}

/** Builds the OpenAPI 3.1 document from the controllers and DTOs. */
function describeApi(
  app: NestFastifyApplication,
  { publicUrl, isPaidByCall }: Described,
): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Trawl')
    .setDescription('Web data over one HTTP API: scrape pages, crawl sites.')
    .setVersion(DESCRIPTION_VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(publicUrl.replace(/(?<!\/)\/+$/, ''))
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-api-key' }, 'apiKey')
    .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'bearer')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...ERROR_SCHEMAS },
  };
  document.webhooks = OPENAPI_WEBHOOKS;
  documentIdempotency(document);
  if (isPaidByCall) documentPayments(document);
  completeOpenApi(document);
  documentRateHeaders(document);
  documentErrorFormat(document);
  return document;
}
