import { createHash } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { payPerCallTerms } from '@app/config';
import { botIdentityOf, type BotIdentity } from '@app/egress';
import type { Runtime } from '@app/runtime';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { loadPublicFiles } from './public-files.js';
import { serveKeyDirectory } from './serve-key-directory.js';
import { preferredType } from '../http/accept-type.js';
import { fixedAnswer, once, type FixedText } from '../http/fixed-answer.js';
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

/**
 * Serves the public files without a key: the API's description, the texts for agents and the public keys of signed
 * requests. Also answers GET / with links to them. The description and the texts are made of the controllers for the first
 * request, once: it takes 0.1 s, which a start need not wait for.
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
  const files: Readonly<Record<string, () => FixedText>> = {
    '/openapi.json': () => ({ type: JSON_TYPE, text: made().openApi }),
    '/agent-onboarding': () => ({ type: MARKDOWN, text: made().quickStart }),
    '/agent-onboarding/SKILL.md': () => ({ type: MARKDOWN, text: made().quickStart }),
    '/agent-onboarding/MANIFEST.md': () => ({ type: MARKDOWN, text: made().manifest }),
    '/llms.txt': () => ({ type: PLAIN, text: made().llms }),
    '/llms-full.txt': () => ({ type: PLAIN, text: made().llmsFull }),
  };
  for (const [path, file] of Object.entries(files)) fastify.get(path, fixedAnswer(file));
  const identity = botIdentityOf(settings);
  serveKeyDirectory(fastify, identity);
  serveStart(fastify, identity, () => made().startPage);
  return () => made().document;
}

/** Links for programs. */
const DIRECTORY = {
  service: 'trawl',
  dashboard: '/dashboard',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/health/ready?verbose',
  llms: '/llms.txt',
  onboarding: '/agent-onboarding',
} as const;

/** Programs accept anything. */
const FORMS = ['application/json', 'text/html'] as const;

/**
 * GET / serves the links: as a page to browsers, as JSON to programs. The JSON is also a JWK Set (RFC 7517, 5): a verifier
 * of signed requests may fetch the origin that they name as it is (draft-ietf-webbotauth-httpsig-protocol-01, 5.5).
 */
function serveStart(
  fastify: FastifyInstance,
  identity: BotIdentity | null,
  page: () => string,
): void {
  const keys = identity?.keys.map(({ jwk }) => jwk);
  const links = JSON.stringify({ ...DIRECTORY, ...(keys && { keys }) });
  const forPrograms = fixedAnswer(() => ({ type: JSON_TYPE, text: links }));
  const policy = once(() => policyOf(page()));
  const forBrowsers = fixedAnswer(() => ({ type: HTML, text: page() }));
  fastify.get('/', async (request, reply) => {
    void reply.header('vary', 'Accept');
    if (preferredType(request.headers.accept, FORMS) !== 'text/html')
      return forPrograms(request, reply);
    void reply.header('content-security-policy', policy());
    return forBrowsers(request, reply);
  });
}

/** The page runs no script and loads nothing; its one style element is allowed by its hash. */
function policyOf(page: string): string {
  const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
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
