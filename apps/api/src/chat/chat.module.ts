import { Module } from '@nestjs/common';
import { ConnectorsModule } from '../connectors/connectors.module.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { ChatModel } from './chat-model.js';
import { ChatController } from './chat.controller.js';
import { ChatService } from './chat.service.js';

@Module({
  imports: [FetchersModule, ConnectorsModule],
  controllers: [ChatController],
  providers: [ChatModel, ChatService],
})
export class ChatModule {}
