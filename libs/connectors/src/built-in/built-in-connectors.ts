import type { Connector } from '../port/connector.js';
import { BUSINESS_CONNECTORS } from './business-connectors.js';
import { COMPANY_CONNECTORS } from './company-connectors.js';
import { PAGE_CHANGES_CONNECTOR } from './page-changes-connector.js';
import { SEARCH_CONNECTOR } from './search-connector.js';
import {
  DIRECTORY_CONNECTOR,
  SITE_LISTINGS_CONNECTOR,
  SITEMAP_CONNECTOR,
} from './site-connectors.js';

/** The connectors of this program, in the order of the catalog. */
export const BUILT_IN_CONNECTORS: readonly Connector[] = [
  ...BUSINESS_CONNECTORS,
  DIRECTORY_CONNECTOR,
  ...COMPANY_CONNECTORS,
  SITE_LISTINGS_CONNECTOR,
  SITEMAP_CONNECTOR,
  PAGE_CHANGES_CONNECTOR,
  SEARCH_CONNECTOR,
];
