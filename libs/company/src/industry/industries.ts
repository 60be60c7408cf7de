import { CARE_AND_LEISURE } from './care-and-leisure.js';
import type { IndustryRow } from './industry-row.js';
import { INFORMATION_AND_FINANCE } from './information-and-finance.js';
import { RETAIL } from './retail.js';
import { SERVICES } from './services.js';
import { TRADES_AND_GOODS } from './trades-and-goods.js';

/** The industries that companies are classified in, each once. */
export const INDUSTRIES: readonly IndustryRow[] = [
  ...TRADES_AND_GOODS,
  ...RETAIL,
  ...INFORMATION_AND_FINANCE,
  ...SERVICES,
  ...CARE_AND_LEISURE,
];
