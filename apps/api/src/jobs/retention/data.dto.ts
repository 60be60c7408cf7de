import { ApiProperty } from '@nestjs/swagger';

/** Counts of a deletion so far. */
export class DeletedView {
  @ApiProperty({ type: 'integer' })
  jobs: number;
  @ApiProperty({ type: 'integer', description: 'URLs of jobs with their results.' })
  pages: number;
  @ApiProperty({ type: 'integer', description: 'Stored files.' })
  files: number;
}

/** A deletion of a tenant's data. */
export class DeletionView {
  @ApiProperty({ format: 'uuid' })
  deletionId: string;
  @ApiProperty({ enum: ['running', 'completed'] })
  status: 'running' | 'completed';
  @ApiProperty({ format: 'date-time', description: 'Data created later is kept.' })
  requested_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at: string | null;
  @ApiProperty({ type: DeletedView })
  deleted: DeletedView;
}
