import { createHash } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { payPerCallTerms } from '@app/config';
import type { Runtime } from '@app/runtime';
import { describeApi } from './openapi.js';
import { loadPublicFiles } from './public-files.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
/** Specification: Key provisioning and public files. */
const CACHE_CONTROL = 'public, max-age=3600';

interface PublicFile {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/**
 * Serves the public files without a key: the API's description and the texts for agents, built once. Also answers GET /
 * with links to them.
 */
export function servePublicFiles(
  app: NestFastifyApplication,
  { publicUrl, settings }: Pick<Runtime, 'publicUrl' | 'settings'>,
): void {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const document = describeApi(app, {
    publicUrl,
    isPaidByCall: payPerCallTerms(settings) !== null,
  });
  const exampleUrl = settings.exampleUrl.replace(/(?:(?<!\/)\/+)?$/, '/');
  const texts = loadPublicFiles({ document, publicUrl, exampleUrl });
  const files: readonly PublicFile[] = [
    { path: '/openapi.json', type: JSON_TYPE, text: JSON.stringify(document) },
    { path: '/agent-onboarding', type: MARKDOWN, text: texts.quickStart },
    { path: '/agent-onboarding/SKILL.md', type: MARKDOWN, text: texts.quickStart },
    { path: '/agent-onboarding/MANIFEST.md', type: MARKDOWN, text: texts.manifest },
    { path: '/llms.txt', type: PLAIN, text: texts.llms },
    { path: '/llms-full.txt', type: PLAIN, text: texts.llmsFull },
  ];
  for (const file of files) serveFile(fastify, file);
  serveStart(fastify, texts.startPage);
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
function serveStart(fastify: FastifyInstance, page: string): void {
  const directory = JSON.stringify(DIRECTORY);
  const forPrograms = answerOf({ type: JSON_TYPE, text: directory });
  const policy = policyOf(page);
  const forBrowsers = answerOf({ type: HTML, text: page });
  fastify.get('/', async (request, reply) => {
    void reply.header('vary', 'Accept');
    if (!prefersHtml(request.headers.accept)) return forPrograms(request, reply);
    void reply.header('content-security-policy', policy);
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

/** Answers 304 to a client whose copy is current (RFC 9110, 13.1.2). The server itself handles HEAD. */
function serveFile(fastify: FastifyInstance, file: PublicFile): void {
  fastify.get(file.path, answerOf(file));
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function answerOf({ type, text }: Omit<PublicFile, 'path'>): Answer {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return async ({ headers }, reply) => {
    void reply.header('etag', etag).header('cache-control', CACHE_CONTROL);
    if (isKnown(headers['if-none-match'], etag)) return reply.status(304).send();
    return reply.header('content-type', type).send(text);
  };
}

/** Whether a list of tags contains this one; weak tags count. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
