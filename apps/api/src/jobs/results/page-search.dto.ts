import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JOB_STATUSES } from '@app/contracts';
import { MAX_RANKED_PAGES } from '@app/jobs';
import { PassageView } from '../../scrape/scrape-result.dto.js';

/** A stored page that a search found. */
export class FoundPageView {
  @ApiProperty({ format: 'uri' })
  url: string;
  @ApiProperty({ description: 'Empty if the page has none.' })
  title: string;
  @ApiProperty({
    description:
      'Part of the page around the matches, as plain text: escape it like any other text of a page.',
  })
  snippet: string;
  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
    description:
      'Start and end of each match in `snippet`, the end exclusive, in UTF-16 code units (as in JavaScript).',
    example: [[4, 10]],
  })
  highlights: (readonly [number, number])[];
  @ApiProperty({ description: 'Comparable within one query only; higher is better.' })
  score: number;
  @ApiProperty({
    type: 'integer',
    description:
      'Number of its page result: GET /v1/crawl/{id}/results with `cursor` one less and `limit=1` returns it.',
  })
  resultNo: number;
  @ApiPropertyOptional({
    type: [PassageView],
    nullable: true,
    description:
      'With `passages`: the parts of its Markdown that have the words, best first. Null: no Markdown of it is stored, or it could not be read in 10 seconds.',
  })
  passages?: readonly PassageView[] | null;
}

/** Stored pages of a job that match a query, best first. */
export class PageSearchAnswer {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: JOB_STATUSES, description: 'While the job runs, more pages may follow.' })
  status: string;
  @ApiProperty({ description: 'As it was searched for.' })
  query: string;
  @ApiProperty({
    type: 'integer',
    description: `Number of matching pages, at most ${MAX_RANKED_PAGES}.`,
  })
  total: number;
  @ApiProperty({
    description: `False if more than ${MAX_RANKED_PAGES} pages may match; so many of them are ranked.`,
  })
  totalIsExact: boolean;
  @ApiProperty({ type: [FoundPageView] })
  results: FoundPageView[];
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cursor of the next page of matches; null if there is none.',
  })
  next: string | null;
}
