import type { FetchedManifest, PageBrand } from '@app/company';
import type { BrandingCut, FetchedSheet } from '@app/content';
import type { Branding } from '@app/contracts';

/** A homepage as it was fetched. */
export interface BrandPage {
  readonly html: string;
  /** After redirects. */
  readonly url: string;
}

/** What a brand thread is asked: what a page needs fetched, then what all of it comes to. */
export type BrandThreadTask =
  | ({ readonly kind: 'outline' } & BrandPage)
  | ({ readonly kind: 'read' } & BrandPage & BrandParts)
  | ({ readonly kind: 'branding' } & BrandPage & Pick<BrandParts, 'sheets'>);

/** What was fetched for a page. */
export interface BrandParts {
  /** By the address that was asked for. */
  readonly sheets: readonly (readonly [string, FetchedSheet])[];
  readonly manifest: FetchedManifest | null;
}

/** Addresses of what a page needs fetched. */
export interface PageOutline {
  readonly sheets: readonly string[];
  readonly manifest: string | null;
}

/** The `branding` format of a page with its sheets. */
export interface PageBranding {
  readonly branding: Branding;
  readonly cuts: readonly BrandingCut[];
}

export type BrandThreadResult = PageOutline | PageBrand | PageBranding;
