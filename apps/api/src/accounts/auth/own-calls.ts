import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Tenant } from '@app/accounts';
import type { FilledForm } from '@app/requests';

const OWN_CALL_HEADER = 'x-own-call';
const TOKEN_BYTES = 32;

/** A POST to the API as our own pages send it. */
export interface OwnCall {
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object;
  /** A form with a file, in place of a body; sent as it streams in. */
  readonly form?: { readonly contentType: string; readonly parts: Readable };
  /** The form that it was filled in with. */
  readonly run?: OwnRun;
}

/** A form of the playground that was sent. */
export interface OwnRun {
  readonly id: string;
  /** As it may be kept. */
  readonly form: FilledForm;
}

interface Sender {
  readonly tenant: Tenant;
  readonly run: OwnRun | undefined;
}

export interface OwnAnswer {
  readonly status: number;
  /** The response as JSON, as it was sent: it may be large. Null: it has another type. */
  readonly json: string | null;
  /** Null: nothing was charged. */
  readonly credits: number | null;
}

/**
 * Calls that the account page makes of the API in this process, for the person who is signed in: by the same hooks as a call
 * with a key, so charged, limited and answered like it. Each has a token that is known to this process alone, works once and
 * is forgotten with the call.
 */
export class OwnCalls {
  private readonly senders = new Map<string, Sender>();
  private readonly runs = new WeakMap<FastifyRequest, OwnRun>();

  constructor(private readonly fastify: FastifyInstance) {}

  /** Goes on when the page is closed meanwhile. */
  async send(tenant: Tenant, { path, body, form, run }: OwnCall): Promise<OwnAnswer> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.senders.set(token, { tenant, run });
    try {
      const { statusCode, headers, payload } = await this.fastify.inject({
        ...{ method: 'POST', url: path },
        headers: {
          [OWN_CALL_HEADER]: token,
          ...(form === undefined ? {} : { 'content-type': form.contentType }),
        },
        ...(form === undefined ? {} : { payload: form.parts }),
        ...(body === undefined ? {} : { payload: body }),
      });
      const isJson = String(headers['content-type']).startsWith('application/json');
      const credits = headers['x-credits-consumed'];
      return {
        status: statusCode,
        json: isJson ? payload : null,
        credits: credits === undefined ? null : Number(credits),
      };
    } finally {
      this.senders.delete(token);
    }
  }

  /** For whom a request is; undefined: it came from outside. Asked twice, the token is gone. */
  take(request: FastifyRequest): Tenant | undefined {
    const token = request.headers[OWN_CALL_HEADER];
    if (typeof token !== 'string') return undefined;
    const sender = this.senders.get(token);
    this.senders.delete(token);
    if (sender?.run !== undefined) this.runs.set(request, sender.run);
    return sender?.tenant;
  }

  /** The form behind a request that was taken; undefined: it has none. */
  runOf(request: FastifyRequest): OwnRun | undefined {
    return this.runs.get(request);
  }
}
