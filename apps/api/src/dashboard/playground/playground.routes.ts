import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BlobTooLargeError } from '@app/blobs';
import { ApiError, isId, newId } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import type { OwnAnswer } from '../../accounts/auth/own-calls.js';
import {
  answerPlace,
  CLAIM_LEASE_MS,
  claimKey,
  completeClaim,
  keepBytes,
  keepClaims,
  readKey,
  releaseClaim,
  type KeyClaim,
} from '@app/idempotency';
import { findForm } from '@app/requests';
import type { LeaseKeeper, Runtime } from '@app/runtime';
import type { RouteFacts } from '../../http/route-facts.js';
import { formValues } from '../http/form-body.js';
import { isRecord } from '../http/one-time-notes.js';
import { goTo, signedInOf, tenantSignedIn } from '../http/signed-in.js';
import type { DashboardServices } from '../services.js';
import {
  answerBytes,
  answerIn,
  answerMissing,
  answerView,
  type PlaygroundAnswer,
} from './answer.js';
import { endpointsOf, type Endpoint } from './endpoints.js';
import {
  PLAYGROUND,
  playgroundPage,
  requestCode,
  runningPage,
  type PlaygroundParts,
} from './playground.page.js';
import { forwardFile, type FileForm } from './file-form.js';
import { changedRows, readForm, type FilledRequest } from './read-form.js';

/** A document or a schema that is pasted into a form. */
const MAX_FORM_BYTES = 500_000;

interface ForEndpoint {
  readonly Params: { readonly endpoint: string; readonly id: string };
}

/** Requests that a person fills in: checked, run, charged and limited like any of the API, through which they go. */
export function playgroundRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const playground = new Playground(services);
  scope.addHook('onClose', async () => playground.close());
  scope.get(PLAYGROUND, (_request, reply) => goTo(reply, `${PLAYGROUND}/scrape`));
  scope.get<ForEndpoint>(`${PLAYGROUND}/:endpoint`, (request, reply) =>
    playground.form(request, reply, request.params.endpoint),
  );
  scope.get<ForEndpoint>(`${PLAYGROUND}/run/:id`, (request, reply) =>
    playground.show(request, reply, request.params.id),
  );
  const bounds = { bodyLimit: MAX_FORM_BYTES };
  scope.post<ForEndpoint>(`${PLAYGROUND}/:endpoint`, bounds, (request, reply) =>
    playground.send(request, reply, request.params.endpoint),
  );
  const facts: RouteFacts = { kind: 'immediate', takesForm: true };
  scope.post(`${PLAYGROUND}/parse/file`, { config: { facts } }, (request, reply) =>
    playground.sendFile(request, reply),
  );
  scope.post<ForEndpoint>(`${PLAYGROUND}/:endpoint/code`, bounds, (request, reply) =>
    playground.code(request, reply, request.params.endpoint),
  );
}

class Playground {
  private readonly kept: KeptRequests;
  private known: readonly Endpoint[] | undefined;

  constructor(private readonly services: DashboardServices) {
    this.kept = new KeptRequests(services.runtime);
  }

  close(): void {
    this.kept.close();
  }

  form(request: FastifyRequest, reply: FastifyReply, id: string): Promise<FastifyReply> {
    // The address may fill in the form: a link to a request, nothing is sent.
    const { searchParams } = new URL(request.url, this.services.runtime.publicUrl);
    const { fields, prefilled, fixed, connector } = this.endpoint(id);
    const given = readForm(fields, searchParams).body;
    const isUntouched = searchParams.size === 0 || connector !== undefined;
    const body = { ...(isUntouched ? prefilled : {}), ...fixed, ...given };
    return this.page(reply, id, { body });
  }

  async send(request: FastifyRequest, reply: FastifyReply, id: string): Promise<FastifyReply> {
    const tenant = tenantSignedIn(request);
    const { body, problems } = this.filled(request, id);
    const change = formValues(request).get('rows');
    if (change !== null) {
      const changed = changedRows(body, this.endpoint(id).fields, change);
      return this.page(reply, id, { body: changed });
    }
    if (problems.size > 0) return this.page(reply, id, { body, problems });
    const formId = formValues(request).get('form_id') ?? '';
    const run = await this.kept.begin(tenant.id, formId, { endpoint: id, request: body });
    const { claim } = run;
    const answer = claim && (await this.run(tenant, { id: run.id, claim }, id, { body }));
    const made = answer === null ? null : madeBy(answer);
    return goTo(reply, made ?? `${PLAYGROUND}/run/${run.id}`);
  }

  /** A file is passed on as it streams in. */
  async sendFile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const tenant = tenantSignedIn(request);
    const runId = await forwardFile(request, async ({ name, fields, form }) => {
      const shown = {
        file: name,
        ...(fields.get('format') ? { format: fields.get('format') } : {}),
      };
      const size = request.headers['content-length'];
      const run = await this.kept.begin(tenant.id, fields.get('form_id') ?? '', { shown, size });
      const { id, claim } = run;
      if (claim) await this.run(tenant, { id, claim }, 'parse', { body: shown, form });
      return id;
    });
    return goTo(reply, `${PLAYGROUND}/run/${runId}`);
  }

  /** The part of the page that changes with the form. */
  async code(request: FastifyRequest, reply: FastifyReply, id: string): Promise<FastifyReply> {
    const { body } = this.filled(request, id);
    const { publicUrl } = this.services.runtime;
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .send(requestCode({ endpoint: this.endpoint(id), body, publicUrl }).toString());
  }

  async show(request: FastifyRequest, reply: FastifyReply, runId: string): Promise<FastifyReply> {
    const known = await this.kept.find(tenantSignedIn(request).id, runId);
    switch (known?.kind) {
      case undefined:
        return this.showOld(request, reply, runId);
      case 'running':
        return this.services.pages.send(reply, runningPage(`${PLAYGROUND}/run/${runId}`));
      case 'lost':
      case 'large':
        return this.page(reply, this.endpoints[0]?.id ?? '', { answer: answerMissing(known.kind) });
      case 'answered':
        return this.page(reply, known.answer.endpoint, {
          body: known.answer.request,
          answer: answerView(known.answer),
        });
    }
  }

  /** The response is gone after a day; what was filled in is listed for a month, to be sent again. */
  private async showOld(
    request: FastifyRequest,
    reply: FastifyReply,
    runId: string,
  ): Promise<FastifyReply> {
    const { database } = this.services.runtime;
    const form = isId(runId) ? await findForm(database, tenantSignedIn(request).id, runId) : null;
    if (form === null) throw new ApiError('not_found');
    return this.page(reply, form.endpoint, { body: form.request, answer: answerMissing('old') });
  }

  /** Continues after a disconnect: the result has a URL. */
  private async run(
    tenant: Tenant,
    { id: runId, claim }: { readonly id: string; readonly claim: KeyClaim },
    id: string,
    { body, form }: { readonly body: FilledRequest['body']; readonly form?: FileForm },
  ): Promise<OwnAnswer> {
    const { path } = this.endpoint(id).operation;
    const startedMs = performance.now();
    try {
      const content = form === undefined ? { body } : { form };
      const filled = { endpoint: id, request: withoutSecrets(body) };
      const run = { id: runId, form: filled };
      const sent = await this.services.own.send(tenant, { path, ...content, run });
      const { status, credits } = sent;
      const ms = Math.round(performance.now() - startedMs);
      const facts = { ...filled, status, credits, ms };
      await this.kept.keep(claim, status, answerBytes(facts, sent.json));
      return sent;
    } catch (error) {
      await this.kept.release(claim);
      throw error;
    }
  }

  private page(
    reply: FastifyReply,
    id: string,
    parts: Partial<Pick<PlaygroundParts, 'body' | 'problems' | 'answer'>>,
  ): Promise<FastifyReply> {
    const { pages, runtime } = this.services;
    const session = signedInOf(reply.request);
    const page = playgroundPage({
      ...{ session, endpoints: this.endpoints, endpoint: this.endpoint(id), body: {} },
      ...{ publicUrl: runtime.publicUrl, formId: newId(), ...parts },
    });
    return pages.send(reply, page);
  }

  private filled(request: FastifyRequest, id: string): FilledRequest {
    const { fields, fixed } = this.endpoint(id);
    const { body, problems } = readForm(fields, formValues(request));
    return { body: { ...fixed, ...body }, problems };
  }

  private endpoint(id: string): Endpoint {
    const found = this.endpoints.find((one) => one.id === id);
    if (found === undefined) throw new ApiError('not_found');
    return found;
  }

  private get endpoints(): readonly Endpoint[] {
    const { description, connectors } = this.services;
    return (this.known ??= endpointsOf(description(), connectors.all));
  }
}

/** The page of the job that a request started, or of the feed that it made; null: neither. */
function madeBy({ status, json }: OwnAnswer): string | null {
  if (status !== 201 && status !== 202) return null;
  const { jobId = '', feedId = '' } = JSON.parse(json ?? '{}') as Record<string, string>;
  if (isId(feedId)) return `/dashboard/feeds/${feedId}`;
  return isId(jobId) ? `/dashboard/jobs/${jobId}` : null;
}

/** Of other services: they are sent and not stored. */
const SECRETS = new Set(['cookies', 'headers']);

function withoutSecrets(body: FilledRequest['body']): FilledRequest['body'] {
  const kept = Object.entries(body).filter(([name]) => !SECRETS.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const isGroup = isRecord(value) && !Array.isArray(value);
      return [name, isGroup ? withoutSecrets(value) : value];
    }),
  );
}

/** A larger response is for programs: showing it would keep the process from answering others. */
const MAX_SHOWN_BYTES = 8 * 1024 * 1024;

/** A request that was started before. */
type KnownRequest =
  | { readonly kind: 'running' }
  /** It broke off, and nothing was charged. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'large' }
  | { readonly kind: 'answered'; readonly answer: PlaygroundAnswer };

interface BegunRequest {
  readonly id: string;
  /** Null: it was begun before. */
  readonly claim: KeyClaim | null;
}

/**
 * Requests of the playground, stored for a day like responses under an idempotency key: a form that is sent twice runs
 * once, and its result has a URL that can be reloaded free of charge.
 */
class KeptRequests {
  private readonly live: LeaseKeeper<KeyClaim>;

  constructor(private readonly runtime: Pick<Runtime, 'database' | 'log' | 'blobs'>) {
    this.live = keepClaims(runtime);
  }

  close(): void {
    this.live.close();
  }

  /** @param formId id of the form as shown; different content is a different request */
  async begin(tenantId: string, formId: string, content: object): Promise<BegunRequest> {
    const id = isId(formId) ? formId : newId();
    const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest();
    const slot = { tenantId, key: keyOf(id) };
    const { database } = this.runtime;
    const outcome = await claimKey(database, { ...slot, fingerprint, leaseMs: CLAIM_LEASE_MS });
    if (outcome.kind === 'reused') return this.begin(tenantId, newId(), content);
    if (outcome.kind !== 'claimed') return { id, claim: null };
    this.live.hold(outcome.claim);
    return { id, claim: outcome.claim };
  }

  async keep(claim: KeyClaim, status: number, answer: Buffer): Promise<void> {
    const { database } = this.runtime;
    try {
      const body = await keepBytes(answer, answerPlace(this.runtime, claim));
      await completeClaim(database, claim, { status, headers: {}, body });
    } finally {
      this.live.release(claim);
    }
  }

  /** An internal error: the same form may be sent again. */
  async release(claim: KeyClaim): Promise<void> {
    this.live.release(claim);
    await releaseClaim(this.runtime.database, claim);
  }

  /** Null if the tenant has no such request, or no longer. */
  async find(tenantId: string, id: string): Promise<KnownRequest | null> {
    if (!isId(id)) return null;
    const known = await readKey(this.runtime.database, { tenantId, key: keyOf(id) });
    if (known?.kind !== 'answered') return known;
    const { body } = known.answer;
    try {
      const bytes = Buffer.isBuffer(body)
        ? body
        : await this.runtime.blobs.read(body.blobKey, undefined, MAX_SHOWN_BYTES);
      return { kind: 'answered', answer: answerIn(bytes) };
    } catch (error) {
      if (error instanceof BlobTooLargeError) return { kind: 'large' };
      throw error;
    }
  }
}

/** The space separates it from the keys of requests, which contain none. */
function keyOf(id: string): string {
  return `playground ${id}`;
}
