import { ApiProperty } from '@nestjs/swagger';

/** A page of results. */
export class ResultsPage {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  status: string;
  @ApiProperty({ type: [Object], description: 'Page results in the order they were scraped.' })
  results: object[];
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cursor of the next page; null if there is none yet.',
  })
  next: string | null;
}
