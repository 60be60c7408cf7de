export {
  deleteTenantReadings,
  expireCompanyContacts,
  forgetContacts,
  type OptOut,
  optOutHash,
} from './company-contacts.js';
export { recallCompany } from './company-graph.js';
export { CompanyWriter, factsOfBrand, factsOfEnrichment } from './company-facts.js';
export * from './match/index.js';
