import { ApiProperty } from '@nestjs/swagger';

/** What a call used of a model. */
export class ModelUseView {
  @ApiProperty({ type: String, nullable: true, description: 'Null when none was asked.' })
  model: string | null;
  @ApiProperty({ description: 'US dollars, by the price table.' })
  costUsd: number;
  @ApiProperty({ type: 'integer' })
  inputTokens: number;
  @ApiProperty({ type: 'integer' })
  outputTokens: number;
}
