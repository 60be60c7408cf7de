import type { BrandReason } from './company.js';

/** How a page presents itself, in its wire form. Every field only where the page says so. Colours are `#rrggbb`. */
export interface Branding {
  readonly colorScheme?: 'light' | 'dark';
  readonly logo?: string;
  readonly colors?: Readonly<
    Partial<
      Record<
        | 'primary'
        | 'secondary'
        | 'accent'
        | 'background'
        | 'textPrimary'
        | 'textSecondary'
        | 'link',
        string
      >
    >
  >;
  readonly fonts?: readonly { readonly family: string }[];
  readonly typography?: {
    readonly fontFamilies?: { readonly primary?: string; readonly heading?: string };
    readonly fontSizes?: { readonly h1?: string; readonly h2?: string; readonly body?: string };
  };
  readonly spacing?: { readonly baseUnit?: number; readonly borderRadius?: string };
  readonly components?: {
    readonly buttonPrimary?: {
      readonly background?: string;
      readonly textColor?: string;
      readonly borderRadius?: string;
    };
  };
  readonly images?: {
    readonly logo?: string;
    readonly favicon?: string;
    readonly ogImage?: string;
  };
  /**
   * Parts of the page's style that were not read, in the form of POST /v1/brand; absent where no
   * sheet is fetched.
   */
  readonly brand_meta?: { readonly partial: boolean; readonly reasons: readonly BrandReason[] };
}
