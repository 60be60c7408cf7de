import type { ServerResponse } from 'node:http';
import { answerBadly, isFailureMode, type FailureMode } from './failure-modes.js';
import { parseForm } from './form-body.js';
import { startLoopbackServer, type ProviderRequest } from './loopback-server.js';
import { StripeAccount, type StripeAnswer } from './stripe-account.js';
import { errorObject } from './stripe-objects.js';

/**
 * `lost`: it is done, and the connection ends before the answer. `lost_500`: it is done, and the answer
 * is 500, which the key then repeats.
 */
export type StripeMode = 'ok' | 'lost' | 'lost_500' | FailureMode;

export interface FakeStripeOptions {
  /** @default 'sk_test_fake' */
  readonly key?: string;
  /** Prices that exist. @default price_hobby, price_pro, price_scale and price_other */
  readonly prices?: readonly string[];
  /** Of a gateway before the API, with a leading slash. @default '' */
  readonly path?: string;
  /** Delay of the mode `slow`. @default 1_000 */
  readonly slowMs?: number;
}

export interface FakeStripe {
  /** What a client is configured with. */
  readonly baseUrl: string;
  readonly key: string;
  readonly account: StripeAccount;
  /** For all requests to come. */
  mode: StripeMode;
  /** Modes of the next requests, first to last; they go before `mode`. */
  readonly nextModes: StripeMode[];
  /** All requests, refused ones too. Oldest first. */
  readonly requests: readonly ProviderRequest[];
  /** Holds answers back until it is resolved; each request is seen in `requests` before. */
  gate: Promise<void>;
  close(): Promise<void>;
}

const PRICES = ['price_hobby', 'price_pro', 'price_scale', 'price_other'];

/** Stripe's API on loopback, strictly: customers, checkouts, portal, subscriptions, prices. */
export async function startFakeStripe(options: FakeStripeOptions = {}): Promise<FakeStripe> {
  const { key = 'sk_test_fake', prices = PRICES, path = '', slowMs = 1_000 } = options;
  const account = new StripeAccount(new Set(prices));
  const desk = new IdempotentDesk(account, path);
  const state: { mode: StripeMode; gate: Promise<void> } = { mode: 'ok', gate: Promise.resolve() };
  const nextModes: StripeMode[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    const mode = nextModes.shift() ?? state.mode;
    const refusal = refusalOf(request, key);
    if (refusal) return send(response, refusal);
    if (isFailureMode(mode)) {
      const good = async () => ({
        contentType: 'application/json',
        body: JSON.stringify((await desk.answer(request, state.gate)).body),
      });
      const errorBody = (status: number) =>
        JSON.stringify(errorObject('api_error', `status ${status} for ${key}`));
      return answerBadly(response, { mode, presentedKey: key, slowMs, errorBody, good });
    }
    const answer = await desk.answer(request, state.gate, mode === 'lost_500');
    if (mode === 'lost') return void response.socket?.resetAndDestroy();
    send(response, answer);
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}${path}`,
    key,
    account,
    nextModes,
    get mode() {
      return state.mode;
    },
    set mode(mode) {
      state.mode = mode;
    },
    get gate() {
      return state.gate;
    },
    set gate(gate) {
      state.gate = gate;
    },
    requests: server.requests,
    close: server.close,
  };
}

/** What is wrong with a request whatever it requests. */
function refusalOf({ method, headers }: ProviderRequest, key: string): StripeAnswer | null {
  if (headers['authorization'] !== `Bearer ${key}`) {
    const message = `Invalid API Key provided: ${(headers['authorization'] ?? '').slice(0, 20)}`;
    return { status: 401, body: errorObject('invalid_request_error', message) };
  }
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  if (method === 'POST' && !isForm) {
    return { status: 400, body: errorObject('invalid_request_error', 'Unsupported content type') };
  }
  return null;
}

interface Kept {
  readonly path: string;
  readonly body: string;
  answer: StripeAnswer | null;
}

/** Answers a key's first request, and then the same again, failures too (docs.stripe.com: Idempotent requests). */
class IdempotentDesk {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly account: StripeAccount,
    private readonly base: string,
  ) {}

  async answer(
    request: ProviderRequest,
    gate: Promise<void>,
    isSpoilt = false,
  ): Promise<StripeAnswer> {
    const { method, body } = request;
    const { pathname: asked, searchParams } = new URL(request.path, 'http://fake');
    const pathname = asked.startsWith(this.base) ? asked.slice(this.base.length) : '';
    if (method === 'GET') {
      await gate;
      return this.account.get(pathname, searchParams);
    }
    const key = request.headers['idempotency-key'] ?? '';
    if (key === '') return idempotencyError(400, 'a POST without an Idempotency-Key');
    const before = this.kept.get(key);
    if (before) return repeated(before, { path: pathname, body });
    const kept: Kept = { path: pathname, body, answer: null };
    this.kept.set(key, kept);
    await gate;
    const answer = this.account.post(pathname, parseForm(body));
    kept.answer = isSpoilt ? { status: 500, body: errorObject('api_error', 'spoilt') } : answer;
    return kept.answer;
  }
}

function repeated(before: Kept, { path, body }: Omit<Kept, 'answer'>): StripeAnswer {
  if (before.path !== path || before.body !== body) {
    return idempotencyError(400, 'Keys can only be used with the same parameters');
  }
  return before.answer ?? idempotencyError(409, 'There is a request in progress with this key');
}

function idempotencyError(status: number, message: string): StripeAnswer {
  const code = status === 409 ? { code: 'idempotency_key_in_use' } : {};
  return { status, body: errorObject('idempotency_error', message, code) };
}

function send(response: ServerResponse, { status, body }: StripeAnswer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': `req_${Math.random().toString(36).slice(2)}`,
  });
  response.end(JSON.stringify(body));
}
