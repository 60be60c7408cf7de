import type { ServerResponse } from 'node:http';
import { answerBadly, isFailureMode, type FailureMode } from './failure-modes.js';
import { startLoopbackServer, type ProviderRequest } from './loopback-server.js';

/**
 * `lost`: it is done, and the connection ends before the answer. `held`: it is done, and the answer waits
 * for `gate`. `same_transaction`: settlements are answered with the transaction of the one before.
 */
export type FacilitatorMode = 'ok' | 'lost' | 'held' | 'same_transaction' | FailureMode;

export interface FakeFacilitatorOptions {
  /** @default none is requested */
  readonly token?: string;
  /** Delay of the mode `slow`. @default 1_000 */
  readonly slowMs?: number;
}

/** A transfer that happened. */
export interface FakeTransfer {
  readonly payer: string;
  readonly nonce: string;
  readonly amount: string;
  readonly transaction: string;
}

export interface FakeFacilitator {
  /** What a service is configured with. */
  readonly url: string;
  /** For verifications to come. */
  verifyMode: FacilitatorMode;
  /** For settlements to come. */
  settleMode: FacilitatorMode;
  /** Payers whose money does not suffice when it is to be moved. */
  readonly broke: Set<string>;
  /** Oldest first. */
  readonly transfers: readonly FakeTransfer[];
  /** Refused ones too. Oldest first. */
  readonly requests: readonly ProviderRequest[];
  /** What answers of the mode `held` wait for. */
  gate: Promise<void>;
  /** How often one of the two was asked. */
  count(what: 'verify' | 'settle'): number;
  close(): Promise<void>;
}

/**
 * A facilitator on loopback, strictly: a payment holds when it is signed `0xgood`, for the very terms that
 * are presented, and its nonce was not spent. Each nonce moves money once, as a network sees to it.
 */
export async function startFakeFacilitator(
  options: FakeFacilitatorOptions = {},
): Promise<FakeFacilitator> {
  const { token = '', slowMs = 1_000 } = options;
  const network = new FakeNetwork();
  const state: Record<'verify' | 'settle', FacilitatorMode> = { verify: 'ok', settle: 'ok' };
  let gate = Promise.resolve();
  const server = await startLoopbackServer(async (request, response) => {
    const what = questionOf(request);
    if (what === null || !isAuthorized(request, token)) {
      return send(response, what === null ? 404 : 401, { error: 'refused' });
    }
    const mode = state[what];
    const good = (): object => network.answer(what, request.body, mode === 'same_transaction');
    if (!isFailureMode(mode)) {
      const answer = good();
      if (mode === 'lost') return void response.socket?.resetAndDestroy();
      if (mode === 'held') await gate;
      return send(response, 200, answer);
    }
    await answerBadly(response, {
      mode,
      presentedKey: token,
      slowMs,
      errorBody: (status) => JSON.stringify({ error: `status ${status} for ${token}` }),
      good: async () => ({ contentType: 'application/json', body: JSON.stringify(good()) }),
    });
  });
  return {
    url: `http://127.0.0.1:${server.port}/x402`,
    broke: network.broke,
    transfers: network.transfers,
    requests: server.requests,
    get verifyMode() {
      return state.verify;
    },
    set verifyMode(mode) {
      state.verify = mode;
    },
    get settleMode() {
      return state.settle;
    },
    set settleMode(mode) {
      state.settle = mode;
    },
    get gate() {
      return gate;
    },
    set gate(next) {
      gate = next;
    },
    count: (what) => server.requests.filter(({ path }) => path === `/x402/${what}`).length,
    close: server.close,
  };
}

function questionOf({ method, path }: ProviderRequest): 'verify' | 'settle' | null {
  if (method !== 'POST') return null;
  if (path === '/x402/verify') return 'verify';
  return path === '/x402/settle' ? 'settle' : null;
}

function isAuthorized({ headers }: ProviderRequest, token: string): boolean {
  return token === '' || headers['authorization'] === `Bearer ${token}`;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

interface Terms {
  readonly scheme: string;
  readonly network: string;
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
}

interface Question {
  readonly x402Version: number;
  readonly paymentRequirements: Terms;
  readonly paymentPayload: {
    readonly x402Version: number;
    readonly accepted: Terms;
    readonly payload: {
      readonly signature: string;
      readonly authorization: {
        readonly from: string;
        readonly to: string;
        readonly value: string;
        readonly validBefore: string;
        readonly nonce: string;
      };
    };
  };
}

class FakeNetwork {
  readonly broke = new Set<string>();
  readonly transfers: FakeTransfer[] = [];

  answer(what: 'verify' | 'settle', body: string, isRepeating: boolean): object {
    const question = JSON.parse(body) as Question;
    const problem = this.problemOf(question, what);
    const { from, nonce, value } = question.paymentPayload.payload.authorization;
    if (what === 'verify') {
      return problem === null
        ? { isValid: true, payer: from }
        : { isValid: false, invalidReason: problem, payer: from };
    }
    const { network } = question.paymentRequirements;
    if (problem !== null) {
      return { success: false, errorReason: problem, payer: from, transaction: '', network };
    }
    const before = this.transfers.at(-1)?.transaction;
    const transaction = isRepeating && before ? before : `0xtx${this.transfers.length + 1}`;
    this.transfers.push({ payer: from, nonce, amount: value, transaction });
    return { success: true, payer: from, transaction, network };
  }

  private problemOf(question: Question, what: 'verify' | 'settle'): string | null {
    const { paymentPayload, paymentRequirements: terms, x402Version } = question;
    if (x402Version !== 2 || paymentPayload.x402Version !== 2) return 'invalid_x402_version';
    const { signature, authorization } = paymentPayload.payload;
    if (signature !== '0xgood') return 'invalid_exact_evm_payload_signature';
    if (authorization.to !== terms.payTo) return 'invalid_exact_evm_payload_recipient_mismatch';
    if (authorization.value !== terms.amount)
      return 'invalid_exact_evm_payload_authorization_value_mismatch';
    if (Number(authorization.validBefore) * 1_000 < Date.now())
      return 'invalid_exact_evm_payload_authorization_valid_before';
    if (this.transfers.some(({ nonce }) => nonce === authorization.nonce))
      return 'invalid_transaction_state';
    // Who verifies may have spent its money by the time it is to be moved.
    return what === 'settle' && this.broke.has(authorization.from) ? 'insufficient_funds' : null;
  }
}
