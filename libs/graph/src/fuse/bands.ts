import type { EmployeeCount } from '../evidence/facts.js';

const EMPLOYEE_BANDS = [
  [10, '1-10'],
  [50, '11-50'],
  [200, '51-200'],
  [500, '201-500'],
  [1_000, '501-1000'],
  [5_000, '1001-5000'],
  [10_000, '5001-10000'],
] as const;

const REVENUE_BANDS = [
  [1e6, '<1M'],
  [1e7, '1M-10M'],
  [5e7, '10M-50M'],
  [1e8, '50M-100M'],
  [5e8, '100M-500M'],
  [1e9, '500M-1B'],
] as const;

/** The band of a number of employees; of a range, that of its middle. */
export function employeeBand({ least, most = least }: EmployeeCount): string {
  const count = Math.max(1, (least + most) / 2);
  return EMPLOYEE_BANDS.find(([limit]) => count <= limit)?.[1] ?? '10001+';
}

/** The band of a year's revenue in US dollars. */
export function revenueBand(dollars: number): string {
  return REVENUE_BANDS.find(([limit]) => dollars < limit)?.[1] ?? '1B+';
}
