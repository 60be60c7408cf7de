import { Body, Controller, HttpCode, Post, Res, Module } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { clientGone } from '../http/client-gone.js';
import { RequiresApiKey } from '../http/documented.js';
import { ChargeId } from '../http/idempotency/claimed-requests.js';
import { ChatMessage, ChatResult } from './chat.dto.js';
import { ChatService } from './chat.service.js';
import { ConnectorsModule } from '../connectors/connectors.module.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { ChatModel } from './chat-model.js';

@Controller('v1/chat')
class ChatController {
  constructor(private readonly chats: ChatService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'A request in words: which connector it means, and a preview',
    description:
      'Rules read the message, then a model if one is configured. The response is a preview; nothing is pulled or charged. With `conversationId` a message may change the last request: “only those with a website”, “in Austin instead”, “make it 50”.',
    operationId: 'chat',
  })
  @ApiBody({ type: ChatMessage })
  @ApiOkResponse({ type: ChatResult })
  @RequiresApiKey(
    'waits',
    ...(['invalid_json', 'invalid_request', 'body_too_large', 'unsupported_media_type'] as const),
    ...(['conversation_not_found', 'search_not_in_plan', 'preview_quota'] as const),
    ...([
      'scraper_not_set_up',
      'scraper_unavailable',
      'search_refused',
      'search_unavailable',
    ] as const),
    ...(['scrape_unavailable', 'draining'] as const),
  )
  chat(
    @Body() body: ChatMessage,
    @CurrentTenant() tenant: Tenant,
    @ChargeId() id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChatResult> {
    return this.chats.chat(body, { tenant, id, signal: clientGone(reply) });
  }
}

@Module({
  imports: [FetchersModule, ConnectorsModule],
  controllers: [ChatController],
  providers: [ChatModel, ChatService],
})
export class ChatModule {}
