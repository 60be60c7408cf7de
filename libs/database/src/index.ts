export {
  isRefusedValue,
  type Queries,
  type Queryable,
  run,
  type Statement,
  Store,
  type StoreOptions,
  StoreUnavailableError,
  type TenantStore,
  type Transaction,
  type Row,
} from './database.js';
export {
  type Channel,
  FINISH_CHANNEL,
  Notifications,
  WEBHOOK_CHANNEL,
  WORK_CHANNEL,
} from './notifications.js';
export { DatabaseAccountError, FETCHER_GRANTS } from './tenant-isolation/fetcher-role.js';
export { TookTooLongError, waitAtMost } from './wait-at-most.js';
export type { SweepOptions, TenantData } from './sweep-bounds.js';
