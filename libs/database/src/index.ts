export { Coalescer, type EqualCalls } from './coalescer.js';
export { Database, type DatabaseOptions, type Queries } from './database.js';
export { DatabaseUnavailableError, isRefusedValue, sqlState } from './server-errors.js';
export { rowsIn } from './repositories.js';
export {
  namedStatement,
  type Queryable,
  run,
  type Statement,
  type Transaction,
  type Row,
} from './statement.js';
export {
  type Channel,
  FINISH_CHANNEL,
  Notifications,
  PAYMENT_CHANNEL,
  WEBHOOK_CHANNEL,
  WORK_CHANNEL,
} from './notifications.js';
export type { SweepOptions, TenantData } from './sweep-bounds.js';
