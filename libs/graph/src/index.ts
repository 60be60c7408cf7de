export { companyDomain } from './evidence/company-domain.js';
export type { Fact, Observation } from './evidence/facts.js';
export { observationOfBrand, observationOfEnrichment } from './evidence/site-observation.js';
export { fuseObservation } from './fuse/fuse-evidence.js';
export {
  findBusinessByDomain,
  findBusinessById,
  type FoundBusiness,
  type Unresolved,
} from './lookup/found-business.js';
export {
  graphBusinessOf,
  graphRowOf,
  type GraphBusiness,
  type GraphRow,
} from './lookup/graph-row.js';
export { readKeys, type ReadKeys } from './lookup/business-question.js';
export {
  listBusinesses,
  queryBusinesses,
  type BusinessCriteria,
  type BusinessPage,
} from './lookup/query-businesses.js';
export {
  resolveBusiness,
  RESOLVED_CONFIDENCE,
  type ResolvedBusiness,
  type ResolvedBy,
} from './lookup/resolve-business.js';
export { deleteTenantReadings, expireCompanyContacts } from './privacy/expire-evidence.js';
export { forgetCompany, type OptOut, optOutHash } from './privacy/opt-outs.js';
export { GraphWriter } from './store/graph-writer.js';
export { joinBusinesses, listMerges, splitMerge } from './store/merge-rows.js';
export { writeObservations } from './store/write-observations.js';
export { importFile } from './import/import-file.js';
export { parseImportMap, READY_MAPS, type ImportMap } from './import/import-map.js';
export { exportBusinesses, graphStats, rebuildGraph } from './store/graph-upkeep.js';
export {
  type MatchRecord,
  prepareRecord,
  type Agreement,
  fieldRule,
  type FieldRule,
  type MatchReason,
  type MatchResult,
  type MatchTable,
  scoreByTable,
  foldText,
  scoreSubjects,
  isMisspelling,
} from './match/index.js';
