import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId, Refusal } from '@app/contracts';
import { clientGone } from '../../http/client-gone.js';
import { parseBody } from '../../http/validation.pipe.js';
import type { Release } from '../../limits/live-slots.js';
import { ScrapeRequest } from '../../scrape/scrape.dto.js';
import type { Piece } from '../html/html.js';
import { formField } from '../http/form-body.js';
import { signedInOf, tenantSignedIn } from '../http/signed-in.js';
import type { DashboardServices } from '../services.js';
import { EMPTY_FORM, playgroundPage, type PlaygroundForm } from './playground.page.js';
import { scrapeAnswer, scrapeProblem } from './scrape-answer.js';

/** What the form sends, for the limits: where a scrape counts. */
const SCRAPE = { method: 'POST', route: '/v1/scrape' } as const;

/** A scrape by hand: checked, run, charged and limited by what answers POST /v1/scrape. */
export function playgroundRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { pages } = services;
  scope.get('/dashboard/playground', (request, reply) =>
    pages.send(reply, playgroundPage({ session: signedInOf(request), form: EMPTY_FORM })),
  );
  scope.post('/dashboard/playground', async (request, reply) => {
    const form = formOf(request);
    const { answer, status } = await answerTo(form, services, { request, reply });
    const session = signedInOf(request);
    return pages.send(reply, playgroundPage({ session, form, answer, status }));
  });
}

function formOf(request: FastifyRequest): PlaygroundForm {
  return {
    url: formField(request, 'url').trim(),
    onlyMainContent: formField(request, 'onlyMainContent') !== '',
    forceHeadless: formField(request, 'forceHeadless') !== '',
  };
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function answerTo(
  form: PlaygroundForm,
  { scrapes, calls }: DashboardServices,
  { request, reply }: Exchange,
): Promise<{ readonly answer: Piece; readonly status: number }> {
  const workId = newId();
  const tenant = tenantSignedIn(request);
  let release: Release | null = null;
  try {
    release = await calls.begin(tenant, SCRAPE);
    const body = await parseBody(ScrapeRequest, { ...form, extractListing: false });
    const call = { tenant, workId, requestId: workId, signal: clientGone(reply) };
    return { answer: scrapeAnswer(await scrapes.scrape(body, call)), status: 200 };
  } catch (error) {
    // Anything else is a fault of ours, and told as one.
    if (!(error instanceof Refusal)) throw error;
    return { answer: scrapeProblem(error), status: error.row.status };
  } finally {
    await release?.();
  }
}
