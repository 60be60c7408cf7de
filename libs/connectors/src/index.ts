export { businessKind } from './businesses/business-kinds.js';
export {
  businessRow,
  type BusinessRow,
  type ListingsRow,
  type MapsRow,
  type ReviewsRow,
} from './businesses/business-rows.js';
export {
  businessSearchMs,
  SCRAPERS,
  type BusinessCursor,
  type BusinessSearchReply,
  type BusinessSearchTask,
  type ScraperName,
} from './businesses/business-task.js';
export type { Business } from './businesses/business.js';
export { businessKey, MergedBusinesses } from './businesses/merged-businesses.js';
export { SAMPLE_MAPS_ROWS } from './businesses/sample-businesses.js';
export type { SourceAnswerPage, BusinessShape } from './sources/business-page.js';
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
export { BUILT_IN_CONNECTORS } from './built-in/built-in-connectors.js';
export { lineDiff, type PageDiff } from './built-in/page-diff.js';
export {
  GRAPH_CONNECTOR_ID,
  graphConnector,
  type CompanyGraphQueries,
  type GraphCriteria,
} from './built-in/graph-connector.js';
export { ConnectorRegistry, type RegisteredConnector } from './port/connector-registry.js';
export type {
  BusinessFind,
  CompanyReport,
  ConnectorSources,
  ConnectorPage,
} from './port/connector-sources.js';
export type { Connector, ConnectorParams, ConnectorRow } from './port/connector.js';
export { refineRequest } from './intent/refine-request.js';
export {
  CHOICE_SCHEMA,
  readChoice,
  type ChosenConnector,
  type ConnectorChoiceReply,
  type ConnectorChoiceTask,
} from './intent/choice-task.js';
export { readRequest, type ReadRequest } from './intent/read-request.js';
export { creditsFor } from './port/record-price.js';
export { csvFile, csvHeader, csvLine } from './rows/csv.js';
