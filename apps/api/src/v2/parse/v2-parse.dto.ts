import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FILE_DESCRIPTION } from '../../parse/parse.dto.js';

/** Multipart body of POST /v2/parse; its parts may be in any order. */
export class V2ParseUpload {
  @ApiProperty({ type: 'string', format: 'binary', description: FILE_DESCRIPTION })
  file: unknown;

  @ApiPropertyOptional({
    type: String,
    description:
      'A JSON object with `formats`, which may only hold markdown. Other options are ignored and named in `warning`.',
  })
  options?: string;
}
