export { companyDomain } from './evidence/company-domain.js';
export {
  type BusinessEvidence,
  type Fact,
  type FactSource,
  type FactValues,
  type Observation,
} from './evidence/facts.js';
export { observationOfBrand, observationOfEnrichment } from './evidence/site-observation.js';
export type { FusedBusiness } from './fuse/fused-business.js';
export { fuseEvidence, fuseObservation } from './fuse/fuse-evidence.js';
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
export { licenseKey, readKeys, type ReadKeys } from './lookup/business-question.js';
export {
  listBusinesses,
  queryBusinesses,
  type BusinessCriteria,
  type BusinessPage,
} from './lookup/query-businesses.js';
export {
  resolveBusiness,
  RESOLVED_CONFIDENCE,
  type BusinessQuestion,
  type ResolvedBusiness,
  type ResolvedBy,
} from './lookup/resolve-business.js';
export { deleteTenantReadings, expireCompanyContacts } from './privacy/expire-evidence.js';
export { forgetCompany, type OptOut, optOutHash } from './privacy/opt-outs.js';
export { GraphWriter } from './store/graph-writer.js';
export { joinBusinesses, listMerges, splitMerge, type BusinessMerge } from './store/merge-rows.js';
export { writeObservations, type WriteResult } from './store/write-observations.js';
export { importFile, type ImportProgress, type ImportReject } from './import/import-file.js';
export { parseImportMap, READY_MAPS, type ImportMap } from './import/import-map.js';
export {
  exportBusinesses,
  graphStats,
  rebuildGraph,
  type ExportedBusiness,
  type GraphStats,
} from './store/graph-upkeep.js';
export * from './match/index.js';
