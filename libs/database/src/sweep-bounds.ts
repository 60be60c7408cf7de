/** One round of deleting expired rows. */
export interface SweepOptions {
  /** Rows that ended before this moment are deleted. */
  readonly before: Date;
  /** Maximum number of rows of one round. */
  readonly limit: number;
}

/** One round of deleting a tenant's data. */
export interface TenantData {
  readonly tenantId: string;
  /** Later rows are kept. */
  readonly until: Date;
  /** Maximum number of rows of one round. */
  readonly limit: number;
}
