import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId, ApiError } from '@app/contracts';
import type { KeyClaim } from '@app/idempotency';
import type { Tenant, Release } from '@app/accounts';
import { errorHint } from '../../http/hints/error-hint.js';
import { parseBody } from '../../http/validation.pipe.js';
import { ScrapeRequest } from '../../scrape/scrape.dto.js';
import { formField } from '../http/form-body.js';
import { goTo, signedInOf, tenantSignedIn } from '../http/signed-in.js';
import type { DashboardServices } from '../services.js';
import { KeptScrapes } from './kept-scrapes.js';
import type { PlaygroundAnswer } from './playground-answer.js';
import { EMPTY_FORM, playgroundPage, runningPage, type PlaygroundForm } from './playground.page.js';
import { scrapeAnswer, scrapeLost } from './scrape-answer.js';

const PATH = '/dashboard/playground';
/** The route that a playground scrape counts for in the limits. */
const SCRAPE = { method: 'POST', route: '/v1/scrape' } as const;

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
    release = await calls.begin(tenant, SCRAPE);
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
