import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId, ApiError, isId } from '@app/contracts';
import {
  claimKey,
  completeClaim,
  readKey,
  releaseClaim,
  answerPlace,
  keepBytes,
  CLAIM_LEASE_MS,
  keepClaims,
  type KeyClaim,
} from '@app/idempotency';
import type { Tenant, Release } from '@app/accounts';
import type { LeaseKeeper, Runtime } from '@app/runtime';
import { errorHint } from '../../http/hints/error-hint.js';
import { parseBody } from '../../http/validation.pipe.js';
import { ScrapeRequest } from '../../scrape/scrape.dto.js';
import { formField } from '../http/form-body.js';
import { goTo, signedInOf, tenantSignedIn } from '../http/signed-in.js';
import type { DashboardServices } from '../services.js';
import { answerIn, type PlaygroundAnswer, scrapeAnswer, scrapeLost } from './scrape-answer.js';
import { EMPTY_FORM, playgroundPage, runningPage, type PlaygroundForm } from './playground.page.js';

const PATH = '/dashboard/playground';
/** A manual scrape: checked, run, charged and limited like POST /v1/scrape. */
export function playgroundRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { pages } = services;
  const kept = new KeptScrapes(services.runtime);
  scope.addHook('onClose', async () => kept.close());
  scope.get(PATH, (request, reply) =>
    pages.send(
      reply,
      playgroundPage({ session: signedInOf(request), form: EMPTY_FORM, formId: newId() }),
    ),
  );
  scope.post(PATH, async (request, reply) => {
    const tenant = tenantSignedIn(request);
    const form = formOf(request);
    const { id, claim } = await kept.begin(tenant.id, formField(request, 'form_id'), form);
    if (claim) await run(services, kept, { tenant, claim, form });
    return goTo(reply, `${PATH}/${id}`);
  });
  scope.get(`${PATH}/:id`, (request, reply) => show(services, kept, request, reply));
}

function formOf(request: FastifyRequest): PlaygroundForm {
  return {
    url: formField(request, 'url').trim(),
    onlyMainContent: formField(request, 'onlyMainContent') !== '',
    forceHeadless: formField(request, 'forceHeadless') !== '',
  };
}

interface OwnScrape {
  readonly tenant: Tenant;
  readonly claim: KeyClaim;
  readonly form: PlaygroundForm;
}

async function run(
  services: DashboardServices,
  kept: KeptScrapes,
  scrape: OwnScrape,
): Promise<void> {
  try {
    await kept.keep(scrape.claim, await answerTo(scrape, services));
  } catch (error) {
    await kept.release(scrape.claim);
    throw error;
  }
}

/** Continues after a disconnect: the result has a URL, and is charged once. */
async function answerTo(
  { tenant, claim, form }: OwnScrape,
  { scrapes, calls }: DashboardServices,
): Promise<PlaygroundAnswer> {
  let release: Release | null = null;
  try {
    release = await calls.begin(tenant);
    const body = await parseBody(ScrapeRequest, { ...form, extractListing: false });
    const { signal } = new AbortController();
    const call = { tenant, chargeId: claim.id, requestId: newId(), signal };
    const { result, credits } = await scrapes.scrape(body, call);
    return { form, status: 200, body: result, credits, problem: null, hint: null };
  } catch (error) {
    // Anything else is an internal error, and shown as one.
    if (!(error instanceof ApiError)) throw error;
    const { row, body, message: problem } = error;
    return { form, status: row.status, body, credits: null, problem, hint: errorHint(error) };
  } finally {
    await release?.();
  }
}

async function show(
  { pages }: DashboardServices,
  kept: KeptScrapes,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id } = request.params as { readonly id: string };
  const session = signedInOf(request);
  const known = await kept.find(tenantSignedIn(request).id, id);
  switch (known?.kind) {
    case undefined:
      throw new ApiError('not_found');
    case 'running':
      return pages.send(reply, runningPage(`${PATH}/${id}`));
    case 'lost':
      return pages.send(
        reply,
        playgroundPage({ session, form: EMPTY_FORM, formId: newId(), answer: scrapeLost() }),
      );
    case 'answered': {
      const { form } = known.answer;
      const answer = scrapeAnswer(known.answer);
      return pages.send(reply, playgroundPage({ session, form, formId: newId(), answer }));
    }
  }
}

/** Same responses as POST /v1/scrape; fetchers limit them well below this. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;

/** A scrape that was started before. */
type KnownScrape =
  | { readonly kind: 'running' }
  /** It broke off, and nothing was charged. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'answered'; readonly answer: PlaygroundAnswer };

/** A scrape of a form: the first time with its claim, afterwards with its state. */
type BegunScrape =
  { readonly id: string; readonly claim: KeyClaim } | { readonly id: string; readonly claim: null };

/**
 * Scrapes of the playground, stored for a day like responses under an idempotency key: a form that is sent twice runs
 * once, and its result has a URL that can be reloaded free of charge.
 */
class KeptScrapes {
  private readonly live: LeaseKeeper<KeyClaim>;

  constructor(private readonly runtime: Pick<Runtime, 'database' | 'log' | 'blobs'>) {
    this.live = keepClaims(runtime);
  }

  close(): void {
    this.live.close();
  }

  /** @param formId id of the form as shown; different content is a different scrape */
  async begin(tenantId: string, formId: string, form: PlaygroundForm): Promise<BegunScrape> {
    const id = isId(formId) ? formId : newId();
    const fingerprint = createHash('sha256').update(JSON.stringify(form)).digest();
    const slot = { tenantId, key: keyOf(id) };
    const { database } = this.runtime;
    const outcome = await claimKey(database, { ...slot, fingerprint, leaseMs: CLAIM_LEASE_MS });
    if (outcome.kind === 'reused') return this.begin(tenantId, newId(), form);
    if (outcome.kind !== 'claimed') return { id, claim: null };
    this.live.hold(outcome.claim);
    return { id, claim: outcome.claim };
  }

  async keep(claim: KeyClaim, answer: PlaygroundAnswer): Promise<void> {
    const { database } = this.runtime;
    try {
      const bytes = Buffer.from(JSON.stringify(answer));
      const body = await keepBytes(bytes, answerPlace(this.runtime, claim));
      await completeClaim(database, claim, { status: answer.status, headers: {}, body });
    } finally {
      this.live.release(claim);
    }
  }

  /** An internal error: the same form may be sent again. */
  async release(claim: KeyClaim): Promise<void> {
    this.live.release(claim);
    await releaseClaim(this.runtime.database, claim);
  }

  /** Null if the tenant has no such scrape, or no longer. */
  async find(tenantId: string, id: string): Promise<KnownScrape | null> {
    if (!isId(id)) return null;
    const known = await readKey(this.runtime.database, { tenantId, key: keyOf(id) });
    if (known?.kind !== 'answered') return known;
    const { body } = known.answer;
    const bytes = Buffer.isBuffer(body)
      ? body
      : await this.runtime.blobs.read(body.blobKey, undefined, MAX_ANSWER_BYTES);
    return { kind: 'answered', answer: answerIn(bytes) };
  }
}

/** The space separates it from the keys of requests, which contain none. */
function keyOf(id: string): string {
  return `playground ${id}`;
}
