import type { FetchedManifest } from '@app/company';
import type { BrandingCut, FetchedSheet } from '@app/content';
import type { Branding } from '@app/contracts';

/** A fetched homepage. */
export interface BrandPage {
  readonly html: string;
  /** After redirects. */
  readonly url: string;
}

/** The resources fetched for a page. */
export interface BrandParts {
  /** By the requested URL. */
  readonly sheets: readonly (readonly [string, FetchedSheet])[];
  readonly manifest: FetchedManifest | null;
}

/** URLs of the resources that a page needs. */
export interface PageOutline {
  readonly sheets: readonly string[];
  readonly manifest: string | null;
}

/** The `branding` format of a page with its sheets. */
export interface PageBranding {
  readonly branding: Branding;
  readonly cuts: readonly BrandingCut[];
}
