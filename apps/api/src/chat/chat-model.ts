import { Injectable } from '@nestjs/common';
import type {
  ChosenConnector,
  ConnectorChoiceTask,
  ConnectorParams,
  ConnectorRegistry,
  RegisteredConnector,
} from '@app/connectors';
import { ApiError, newId } from '@app/contracts';
import { CreditCharges, type Tenant } from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { InjectConnectors } from '../connectors/connectors.token.js';
import { FetcherCall } from '../fetchers/fetcher-call.js';
import { MAX_ANSWER_MS } from '../search/search-limits.js';
import { InjectRuntime } from '../runtime.token.js';

export interface ModelChoice {
  readonly text: string;
  readonly known: {
    readonly registered: RegisteredConnector;
    readonly params: ConnectorParams;
  } | null;
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

/** Lets a fetcher's model choose a connector for words that rules do not understand. */
@Injectable()
export class ChatModel {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings' | 'log'>,
    @InjectConnectors() private readonly connectors: ConnectorRegistry,
    private readonly fetchers: FetcherCall,
    private readonly charges: CreditCharges,
  ) {}

  /**
   * Null: no model is configured, it was late, or it chose none; `used_up`: the plan's model calls of the day are, and none
   * was asked. Never fails the chat.
   */
  async choose({
    text,
    known,
    tenant,
    signal,
  }: ModelChoice): Promise<ChosenConnector | null | 'used_up'> {
    const { llmBaseUrl, llmModelFree, llmModelLow, llmTimeoutMs } = this.runtime.settings;
    const isFree = tenant.plan === 'free';
    const hasModel = llmBaseUrl !== undefined && (isFree ? llmModelFree : llmModelLow) !== '';
    if (!hasModel) return null;
    const task: ConnectorChoiceTask = {
      ...{ kind: 'choose', requestId: newId(), tenantId: tenant.id, plan: tenant.plan },
      deadlineAtMs: Date.now() + Math.min(MAX_ANSWER_MS, llmTimeoutMs),
      text,
      modelClass: isFree ? 'free' : 'low',
      known: known && { connectorId: known.registered.connector.id, params: known.params },
      connectors: this.connectors.all.map(({ connector: { id, description, params } }) => ({
        ...{ id, description, params },
      })),
    };
    try {
      const reply = await this.fetchers.request('search', task, signal, async (late) => {
        if (late.kind === 'chosen') await this.charges.recordCost(task, 'search', late.usage);
      });
      if (reply.kind !== 'chosen') return null;
      await this.charges.recordCost(task, 'search', reply.usage);
      return reply.problem === 'llm_quota' ? 'used_up' : reply.chosen;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'client_gone') throw error;
      this.runtime.log.warn({ err: error }, 'a chat went on without a model');
      return null;
    }
  }
}
