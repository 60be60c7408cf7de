/** Where a company is and how many work there, as its site states it. */
export interface CompanyPlace {
  readonly street?: string;
  readonly city?: string;
  /** Two letters in the US and Canada. */
  readonly state?: string;
  readonly zip?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly employees?: EmployeeRange;
}

/** Without `most` the number has no upper bound. */
export interface EmployeeRange {
  readonly least: number;
  readonly most?: number;
}
