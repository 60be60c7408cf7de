import type { Listing } from '@app/contracts';
import type { Business } from '../businesses/business.js';
import type { BusinessCursor, ScraperName } from '../businesses/business-task.js';

/** Businesses of one search, and where the next ones are. */
export interface BusinessFind {
  readonly businesses: readonly Business[];
  /** Null: there are no more. */
  readonly next: BusinessCursor | null;
  readonly costMicroUsd: number;
  /** Sample businesses of the Free plan. */
  readonly isMock: boolean;
}

/** What a company's site says, in the words of POST /v1/enrich. */
export interface CompanyReport {
  readonly domain: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly socials: Readonly<Partial<Record<string, string>>>;
  readonly team: readonly { readonly name: string; readonly role?: string }[];
  readonly technologies: readonly {
    readonly name: string;
    readonly category: string;
    readonly confidence: number;
    readonly version?: string;
  }[];
}

/** What a page is to connectors: its text, however it was fetched. */
export interface ConnectorPage {
  /** After redirects. */
  readonly url: string;
  readonly html: string;
  readonly markdown: string;
}

/**
 * What connectors work with: the service's own operations, for the account of the pull. Each passes the egress guard,
 * robots.txt and the account's share of the fetchers. Null where a page or site has no data; errors of the service itself
 * are thrown.
 */
export interface ConnectorSources {
  findBusinesses(search: {
    readonly scraper: ScraperName;
    readonly query: string;
    readonly location: string | null;
    readonly limit: number;
    readonly from: BusinessCursor | null;
  }): Promise<BusinessFind>;
  /** The listing of a page. */
  readListing(url: string): Promise<Listing | null>;
  /** Company data of a domain's site. */
  readCompany(
    domain: string,
    wanted: { readonly technologies: boolean },
  ): Promise<CompanyReport | null>;
  /** URLs of a site, from its sitemaps or pages. */
  mapSite(
    url: string,
    wanted: { readonly limit: number; readonly search: string | null },
  ): Promise<readonly string[]>;
  searchWeb(search: {
    readonly query: string;
    readonly limit: number;
    readonly country: string;
  }): Promise<
    readonly { readonly url: string; readonly title: string; readonly snippet: string }[]
  >;
  fetchPage(
    url: string,
    wanted?: {
      /** @default false */
      readonly onlyMainContent?: boolean;
      /** CSS selectors of elements that are left out. */
      readonly excludeTags?: readonly string[];
    },
  ): Promise<ConnectorPage | null>;
}
