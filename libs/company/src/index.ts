export { manifestAddress, type FetchedManifest } from './brand/brand-icons.js';
export { readBrand, type BrandResources, type PageBrand } from './brand/read-brand.js';
export type {
  CompanyPage,
  HomepageFacts,
  PageLinkText,
  PagePhone,
  ProfileSighting,
} from './company-page.js';
export { enrichmentCompleteness, type FoundSignals, SIGNALS } from './completeness.js';
export { domainOf } from './domain.js';
export { type Company, joinCompanyPages } from './join-company-pages.js';
export { choosePages } from './priority/choose-pages.js';
export { FIXED_PATHS } from './priority/priority-of.js';
export { readCompanyPage } from './read-company-page.js';
export { classifyIndustry } from './industry/classify-industry.js';
export { companyText, type CompanyText } from './industry/classify-industry.js';
export type { BrandReading, BrandReply, BrandTask } from './brand-reading.js';
export type { Enrichment, EnrichReply, EnrichTask, TeamMember } from './enrichment.js';
export type { CompanyPlace, EmployeeRange } from './place/company-place.js';
export { phoneIn, phoneNumber } from './phones/phone-text.js';
