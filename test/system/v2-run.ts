import {
  startFixtureSite,
  startWebhookReceiver,
  until,
  type FixtureSite,
  type WebhookReceiver,
} from '@app/testing';
import type { Mode, Service } from './deployment.js';
import { share } from './shared-cluster.js';

/** A response under /v2. */
export interface V2Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: V2AnswerBody;
}

/** The fields of all responses under /v2 that specs examine. */
export interface V2AnswerBody {
  readonly success?: boolean;
  readonly error?: string;
  readonly code?: string;
  readonly details?: unknown;
  readonly warning?: string;
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly total: number;
  readonly completed: number;
  readonly creditsUsed: number;
  readonly expiresAt: string;
  readonly next: null;
  readonly links: readonly { readonly url: string }[];
  readonly invalidURLs?: readonly string[];
  readonly data: V2AnswerDocument & readonly V2AnswerDocument[];
}

export interface V2AnswerDocument {
  readonly markdown?: string;
  readonly warning?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const WORDS = ['scraping', 'completed', 'failed', 'cancelled'];

/** The service with a site and a receiver, as a client of the compatibility set sees it. */
export class V2Run {
  private constructor(
    readonly service: Service,
    readonly site: FixtureSite,
    readonly receiver: WebhookReceiver,
  ) {}

  static async start(mode: Mode): Promise<V2Run> {
    const site = await startFixtureSite({ treePages: 0 });
    const receiver = await startWebhookReceiver();
    const service = await share(mode);
    return new V2Run(service, site, receiver);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.receiver.close();
    await this.site.close();
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<V2Answer> {
    const type = { 'content-type': 'application/json' };
    return this.send('POST', path, {
      body: JSON.stringify(body),
      headers: { ...type, ...headers },
    });
  }

  async send(method: string, path: string, init: RequestInit = {}): Promise<V2Answer> {
    const headers = {
      authorization: `Bearer ${this.service.key}`,
      ...(init.headers as Record<string, string> | undefined),
    };
    const response = await fetch(`${this.service.url}${path}`, { ...init, method, headers });
    const text = await response.text();
    const { status } = response;
    return { status, headers: response.headers, text, body: JSON.parse(text) as V2AnswerBody };
  }

  /** Polls a job until it has ended, by the words that clients know. */
  async ended(path: string): Promise<V2AnswerBody> {
    return until(
      async () => {
        const { status, body } = await this.send('GET', path);
        expect([status, body.success, WORDS.includes(body.status)]).toEqual([200, true, true]);
        return body.status === 'scraping' ? undefined : body;
      },
      { what: `the end of ${path}`, timeoutMs: 60_000 },
    );
  }
}
