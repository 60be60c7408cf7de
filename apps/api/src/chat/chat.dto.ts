import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PreviewResult } from '../connectors/preview.dto.js';
import { TextField } from '../http/fields.js';

export const CHAT_KINDS = ['new', 'refine', 'help'] as const;
export type ChatKind = (typeof CHAT_KINDS)[number];

/** Body of POST /v1/chat. */
export class ChatMessage {
  @TextField({
    required: true,
    description: 'A request in words.',
    maxChars: 2_000,
    example: 'dentists in Austin, TX with a website',
  })
  message: string;

  @TextField({
    description: 'Of an earlier response: the message may change its request.',
    maxChars: 64,
  })
  conversationId?: string;
}

export class ChatIntent {
  @ApiProperty({ type: String, nullable: true, description: 'The connector; null: none suits.' })
  connectorId: string | null;

  @ApiProperty({ enum: ['rules', 'model'], description: 'Who understood the message.' })
  by: 'rules' | 'model';

  @ApiProperty({ minimum: 0, maximum: 1 })
  confidence: number;
}

/** Response of POST /v1/chat. */
export class ChatResult {
  @ApiProperty({
    enum: [...CHAT_KINDS],
    description:
      '`new`: a new request; `refine`: a change of the conversation’s request; `help`: the message was not understood, and nothing ran.',
  })
  kind: ChatKind;

  @ApiProperty({ type: String, nullable: true, description: 'For follow-ups, for a day.' })
  conversationId: string | null;

  @ApiProperty({ type: ChatIntent })
  intent: ChatIntent;

  @ApiPropertyOptional()
  connectorId?: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  params?: object;

  @ApiPropertyOptional({ type: PreviewResult })
  preview?: PreviewResult;

  @ApiPropertyOptional({ format: 'uuid', description: 'For POST /v1/pull. A chat never pulls.' })
  jobId?: string;

  @ApiProperty({ description: 'For people: what was understood, or what the chat can do.' })
  message: string;
}
