export {
  type CompanyContacts,
  type CompanyPerson,
  deleteTenantReadings,
  expireCompanyContacts,
  forgetContacts,
  lockContacts,
  type OptOut,
  optOutHash,
  readingOf,
  storable,
} from './company-contacts.js';
export {
  type CompanyFacts,
  type CompanySource,
  type GraphCompany,
  recallCompany,
  rememberCompany,
} from './company-graph.js';
export { CompanyWriter, factsOfBrand, factsOfEnrichment } from './company-facts.js';
