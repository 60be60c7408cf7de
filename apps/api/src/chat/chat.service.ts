import { Injectable } from '@nestjs/common';
import {
  readRequest,
  refineRequest,
  type ConnectorParams,
  type ConnectorRegistry,
  type ReadRequest,
  type RegisteredConnector,
} from '@app/connectors';
import { ApiError, isId, newId } from '@app/contracts';
import { findConversation, keepConversation } from '@app/runs';
import type { Tenant } from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { InjectConnectors } from '../connectors/connectors.token.js';
import { PreviewService } from '../connectors/preview.service.js';
import { invalidRequest } from '../http/invalid-request.js';
import { InjectRuntime } from '../runtime.token.js';
import { ChatModel } from './chat-model.js';
import type { ChatIntent, ChatKind, ChatMessage, ChatResult } from './chat.dto.js';

/** The caller of a chat, and the id of the preview that it may get. */
export interface ChatCall {
  readonly tenant: Tenant;
  readonly id: string;
  readonly signal: AbortSignal;
}

/** A message as it was understood. */
interface Understood {
  readonly kind: Exclude<ChatKind, 'help'>;
  readonly registered: RegisteredConnector;
  readonly params: ConnectorParams;
  readonly maxRows: number | null;
  readonly intent: Omit<ChatIntent, 'connectorId'>;
}

/** What a conversation is about. */
interface Known {
  readonly registered: RegisteredConnector;
  readonly params: ConnectorParams;
}

const CONVERSATION_LIFE_MS = 24 * 3_600_000;
/** A refinement keeps the connector that was understood before. */
const REFINED = 0.8;
/** A match that is so sure begins a new request within a conversation. */
const SURE = 0.7;
const MODEL_USED_UP =
  ' No model was asked: the model calls of today are used up on this plan, and begin again at 00:00 UTC.';
/** Where the number of rows is kept among the parameters of a conversation. */
const MAX_ROWS = 'maxResults';

/** Turns words into a connector with parameters, and previews it. It never pulls, so words never cost anything. */
@Injectable()
export class ChatService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'metrics'>,
    @InjectConnectors() private readonly connectors: ConnectorRegistry,
    private readonly previews: PreviewService,
    private readonly model: ChatModel,
  ) {}

  /** @throws ApiError */
  async chat({ message, conversationId }: ChatMessage, call: ChatCall): Promise<ChatResult> {
    const text = message.trim();
    if (text === '') throw invalidRequest('`message` is empty: write what you look for');
    const known = await this.conversation(conversationId, call.tenant);
    const request = readRequest(text);
    const understood = this.byRules(request, known) ?? (await this.byModel(text, known, call));
    if (understood === null || understood === 'used_up')
      return this.help(conversationId ?? null, understood === 'used_up');
    return this.answer(understood, conversationId ?? newId(), call);
  }

  private async conversation(
    id: string | null | undefined,
    { id: tenantId }: Tenant,
  ): Promise<(Known & { readonly maxRows: number | null }) | null> {
    if (id === undefined || id === null) return null;
    const found = isId(id) ? await findConversation(this.runtime.database, tenantId, id) : null;
    if (found === null) throw new ApiError('conversation_not_found');
    const registered = this.connectors.get(found.connectorId);
    if (registered === null) return null;
    const { [MAX_ROWS]: maxRows, ...params } = found.params;
    return { registered, params, maxRows: typeof maxRows === 'number' ? maxRows : null };
  }

  private byRules(
    request: ReadRequest,
    known: (Known & { readonly maxRows: number | null }) | null,
  ): Understood | null {
    const match = this.connectors.match(request);
    const registered = match === null ? null : this.connectors.get(match.connector.id);
    const isNew = match !== null && registered !== null && match.score >= SURE;
    const refined = known === null ? null : refineRequest(request, known);
    if (known !== null && refined !== null && !(isNew && registered !== known.registered)) {
      const intent = { by: 'rules', confidence: REFINED } as const;
      const maxRows = refined.maxRows ?? known.maxRows;
      return { kind: 'refine', registered: known.registered, ...refined, maxRows, intent };
    }
    if (match === null || registered === null) return null;
    const intent = { by: 'rules', confidence: match.score } as const;
    return { kind: 'new', registered, params: match.params, maxRows: request.maxRows, intent };
  }

  /** What rules cannot tell. A model only ever names a connector and parameters that fit its schema. */
  private async byModel(
    text: string,
    known: Known | null,
    { tenant, signal }: ChatCall,
  ): Promise<Understood | null | 'used_up'> {
    const chosen = await this.model.choose({ text, known, tenant, signal });
    if (chosen === null || chosen === 'used_up') return chosen;
    const registered = this.connectors.get(chosen.connectorId);
    if (registered === null || registered.paramsProblem(chosen.params) !== null) return null;
    const kind = known !== null && chosen.isRefinement ? 'refine' : 'new';
    const intent = { by: 'model', confidence: 0.5 } as const;
    return { kind, registered, params: chosen.params, maxRows: chosen.maxRows, intent };
  }

  private async answer(
    { kind, registered, params, maxRows, intent }: Understood,
    conversationId: string,
    call: ChatCall,
  ): Promise<ChatResult> {
    const { id: connectorId, title } = registered.connector;
    const preview = await this.previews.run({ registered, params, maxResults: maxRows }, call);
    await keepConversation(this.runtime.database, {
      ...{ id: conversationId, tenantId: call.tenant.id, connectorId },
      params: { ...params, ...(maxRows === null ? {} : { [MAX_ROWS]: maxRows }) },
      lifeMs: CONVERSATION_LIFE_MS,
    });
    this.runtime.metrics.chatMessages.inc({ kind, by: intent.by });
    const { jobId, estimatedRows, estimatedCredits } = preview;
    return {
      ...{ kind, conversationId, intent: { connectorId, ...intent }, connectorId },
      ...{ params, preview, jobId },
      message: `${title}: about ${estimatedRows} rows for ${estimatedCredits} credits. Nothing was charged; POST /v1/pull with this jobId gets the rows.`,
    };
  }

  private help(conversationId: string | null, isUsedUp: boolean): ChatResult {
    this.runtime.metrics.chatMessages.inc({ kind: 'help', by: 'rules' });
    const titles = this.connectors.all.map(({ connector }) => connector.title).join('; ');
    return {
      kind: 'help',
      conversationId,
      intent: { connectorId: null, by: 'rules', confidence: 0 },
      message: `This was not understood, and nothing ran.${isUsedUp ? MODEL_USED_UP : ''} Name a kind of business and a place (dentists in Austin, TX), or sites and what you want to know of them (tech stack of example.com). There are: ${titles}.`,
    };
  }
}
