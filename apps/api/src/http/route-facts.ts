import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { CallPrice } from '@app/billing';

/**
 * - `waits`: its response waits for a page or a document, so each call takes a slot of its tenant and may be paced.
 * - `polls`: clients wait for a job with it. It has a rate window of its own, so that this does not use up their calls.
 * - `immediate`: any other; what takes long becomes a job.
 */
export type RouteKind = 'immediate' | 'polls' | 'waits';

/** What the hooks of the server know of a route. */
export interface RouteFacts {
  readonly kind: RouteKind;
  /** Of a route that waits: whether a call with this body does. @default always */
  readonly waitsFor?: (body: unknown) => boolean;
  /** Needs no key although it is under /v1 (specification: Authentication 1). */
  readonly isOpen?: true;
  /** The body of a POST may be missing. */
  readonly isBodyOptional?: true;
  /** What the JSON of the body may contain that is larger than other bodies. */
  readonly largeBody?: 'document' | 'patterns';
  /** The body may be a multipart form. */
  readonly takesForm?: true;
  /** May be followed over a WebSocket at its own URL. */
  readonly isWatchable?: true;
  /** The handler gets the body as text: the signature is over its bytes. */
  readonly isBodyRaw?: true;
  /**
   * Its response is compressed: what was read of pages and of the web, and lists of it.
   *
   * How far a response shrinks shows what its parts have in common. If it holds a secret beside a text that an attacker
   * chooses, the attacker can guess the secret byte by byte by the length of many such responses (BREACH). So never where
   * it holds a secret that stays the same: keys, webhook secrets, addresses of feeds and of the results of jobs, checkouts,
   * the dashboard. The signed address of a screenshot beside a page's text is new in each response. Nor where it is sent as
   * it is made (batches, events), since a compressor would hold it back; downloads and JSON lines have a compressor of
   * their own, and public files are compressed once.
   */
  readonly isCompressed?: true;
  /** Its response is shown once and must not be stored: an Idempotency-Key is refused. */
  readonly isShownOnce?: true;
  /**
   * A call may be paid for instead of sent with a key. Only where the price is known before the body is read and no
   * results are read by a key later, since payers share one tenant: no jobs; no `extract`, whose price depends on its
   * body; no `screenshot`, which has a daily quota per account. @default none
   */
  readonly price?: CallPrice;
}

/** Where the OpenAPI document has the facts while it is made. */
const EXTENSION = 'x-route-facts';

const NONE: RouteFacts = { kind: 'immediate' };

/** States the facts of a route, for the hooks and for the OpenAPI document. */
export function StatesFacts(facts: RouteFacts | RouteKind): MethodDecorator {
  const all: RouteFacts = typeof facts === 'string' ? { kind: facts } : facts;
  return applyDecorators(RouteConfig({ facts: all }), ApiExtension(EXTENSION, all));
}

/** Of the route that matched, if any, or that is being added. */
export function factsOf({
  routeOptions,
}: {
  readonly routeOptions: { readonly config?: object };
}): RouteFacts {
  return (routeOptions.config as { readonly facts?: RouteFacts } | undefined)?.facts ?? NONE;
}

/** Of a documented operation; undefined: its route states none. */
export function factsIn(operation: object): RouteFacts | undefined {
  return (operation as { readonly [EXTENSION]?: RouteFacts })[EXTENSION];
}

/** The facts are not part of the document. */
export function withoutFacts(operation: object): void {
  delete (operation as { [EXTENSION]?: RouteFacts })[EXTENSION];
}

/** Whether the response of this request waits for a page or a document. */
export function waits(request: FastifyRequest): boolean {
  const { kind, waitsFor } = factsOf(request);
  return kind === 'waits' && (waitsFor?.(request.body) ?? true);
}
