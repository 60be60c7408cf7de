export {
  deleteSchema,
  deleteTenantSchemas,
  findSchema,
  listSchemas,
  MAX_SAVED_SCHEMAS,
  type SavedSchema,
  saveSchema,
} from './saved-schemas.js';
export {
  deleteTenantRequests,
  type FilledForm,
  findForm,
  recentRequests,
  RequestHistory,
  sweepRequests,
  type ShownRequest,
} from './request-log.js';
