import {
  PLAN_LIMITS,
  PLANS,
  API_ERRORS,
  SUGGESTED_FIXES,
  type Overage,
  type Plan,
  type ApiErrorCode,
} from '@app/contracts';
import {
  documentedErrors,
  operationTitle,
  type DocumentedOperation,
} from './documented-operations.js';

type Row = readonly string[];

const REFUSAL_CODES = Object.keys(API_ERRORS) as ApiErrorCode[];

/** A Markdown table. */
function table(head: Row, rows: readonly Row[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(cellText).join(' | ')} |`).join('\n');
}

const cellText = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A line for each operation. */
export function operationList(operations: readonly DocumentedOperation[]): string {
  return operations
    .map((operation) => `- ${operationTitle(operation)}: ${operation.summary}`)
    .join('\n');
}

export function operationTable(operations: readonly DocumentedOperation[]): string {
  return table(
    ['endpoint', 'what it does', 'key'],
    operations.map((operation) => [
      `\`${operationTitle(operation)}\``,
      operation.summary,
      operation.needsKey ? 'yes' : 'no',
    ]),
  );
}

/** Every documented error by status, with its code and suggested fix. */
export function errorTable(operations: readonly DocumentedOperation[]): string {
  const documented = new Set(operations.flatMap(documentedErrors).flatMap(([, texts]) => texts));
  const rows = REFUSAL_CODES.filter((code) => documented.has(API_ERRORS[code].text))
    .sort((one, other) => API_ERRORS[one].status - API_ERRORS[other].status)
    .map((code): Row => {
      const { status, text } = API_ERRORS[code];
      const shown = text === '{problem}' ? '(describes the problem)' : text;
      return [String(status), `\`${code}\``, shown, SUGGESTED_FIXES[code]];
    });
  return table(['status', '`code`', '`error`', '`suggested_fix`'], rows);
}

const PLAN_ROWS: readonly (readonly [string, (plan: Plan) => string])[] = [
  ['USD per month', (plan) => figure(PLAN_LIMITS[plan].priceMonthUsd)],
  ['USD per month, billed yearly', (plan) => figure(PLAN_LIMITS[plan].priceYearMonthUsd)],
  ['credits per month', (plan) => figure(PLAN_LIMITS[plan].monthlyCredits)],
  ['enrich credits per month', (plan) => figure(PLAN_LIMITS[plan].enrichCredits)],
  ['KYB credits per month', (plan) => figure(PLAN_LIMITS[plan].kybCredits)],
  ['overage', (plan) => overageText(PLAN_LIMITS[plan].overage)],
  ['requests per minute', (plan) => figure(PLAN_LIMITS[plan].requestsPerMinute)],
  ['requests at a time', (plan) => figure(PLAN_LIMITS[plan].concurrentRequests)],
  ['screenshots per day', (plan) => figure(PLAN_LIMITS[plan].screenshotsPerDay)],
  ['pages of a batch at a time', (plan) => figure(PLAN_LIMITS[plan].batchWorkers)],
  ['links of a map', (plan) => figure(PLAN_LIMITS[plan].mapLinks)],
];

/** What each plan grants (specification: Limits, Plans). */
export function planTable(): string {
  return table(
    ['', ...PLANS],
    PLAN_ROWS.map(([title, text]) => [title, ...PLANS.map((plan) => text(plan))]),
  );
}

/** With thousands separators; null: as agreed. */
function figure(value: number | null): string {
  return value === null ? 'as agreed' : value.toLocaleString('en-US');
}

function overageText(overage: Overage | 'agreed' | null): string {
  if (overage === null) return 'none: 402';
  if (overage === 'agreed') return 'as agreed';
  return `${overage.priceUsd} USD per ${figure(overage.credits)}`;
}
