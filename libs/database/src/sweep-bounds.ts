/** One round of deleting what is past its time. */
export interface SweepOptions {
  /** Rows that ended before this moment are deleted. */
  readonly before: Date;
  /** Most rows of one round. */
  readonly limit: number;
}

/** One round of deleting a tenant's data. */
export interface TenantData {
  readonly tenantId: string;
  /** Rows made later are kept. */
  readonly until: Date;
  /** Most rows of one round. */
  readonly limit: number;
}
