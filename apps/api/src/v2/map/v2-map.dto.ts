import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DEFAULT_LINKS } from '../../map/map.dto.js';

/** Body of POST /v2/map. Other options are ignored and named in `warning`. */
export class V2MapBody {
  @ApiProperty({
    description: 'Homepage or any page of the site.',
    maxLength: 2_048,
    example: 'https://example.com/',
  })
  url: string;
  @ApiPropertyOptional({ nullable: true, type: 'integer', minimum: 1, default: DEFAULT_LINKS })
  limit?: number;
  @ApiPropertyOptional({ nullable: true, description: 'Only URLs that contain this text.' })
  search?: string;
}

class V2Link {
  @ApiProperty({ format: 'uri' })
  url: string;
  @ApiPropertyOptional()
  title?: string;
  @ApiPropertyOptional()
  description?: string;
}

/** Response of POST /v2/map. */
export class V2MapResult {
  @ApiProperty({ enum: [true] })
  success: boolean;
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ type: [V2Link] })
  links: V2Link[];
  @ApiPropertyOptional()
  warning?: string;
}
