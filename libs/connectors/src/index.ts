export { businessKind, MAX_KIND_WORDS, singularsOf } from './businesses/business-kinds.js';
export {
  businessRow,
  type BusinessRow,
  type ListingsRow,
  type MapsRow,
  type ReviewsRow,
} from './businesses/business-rows.js';
export {
  SCRAPERS,
  type BusinessCursor,
  type BusinessSearchReply,
  type BusinessSearchTask,
  type ScraperName,
} from './businesses/business-task.js';
export type { Business } from './businesses/business.js';
export { businessKey, MergedBusinesses } from './businesses/merged-businesses.js';
export { SAMPLE_MAPS_ROWS } from './businesses/sample-businesses.js';
export type { BusinessPage, BusinessShape } from './sources/business-page.js';
export { overpassQuery, type BoundingBox, type SearchArea } from './sources/overpass-query.js';
export { readBusinesses } from './sources/read-businesses.js';
export { OSM_ATTRIBUTION } from './sources/read-osm-businesses.js';
export {
  parseSourcesSetting,
  SOURCE_KINDS,
  type ApiSourceSetting,
  type HtmlSourceSetting,
  type NominatimSetting,
  type OverpassSetting,
  type SourceKind,
  type SourceSetting,
} from './sources/source-setting.js';
