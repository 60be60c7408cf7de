import { ApiProperty } from '@nestjs/swagger';

/** Model usage of a call. */
export class ModelUseView {
  @ApiProperty({ type: String, nullable: true, description: 'Null if no model was used.' })
  model: string | null;
  @ApiProperty({ description: 'US dollars, by the price table.' })
  costUsd: number;
  @ApiProperty({ type: 'integer' })
  inputTokens: number;
  @ApiProperty({ type: 'integer' })
  outputTokens: number;
}
