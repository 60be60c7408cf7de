/** Why only a part of a page's style was read (specification: brand_meta). */
export const BRAND_REASONS = [
  'stylesheet_budget',
  'stylesheet_count_cap',
  'stylesheet_byte_cap',
  'stylesheet_total_byte_cap',
  'stylesheet_timeout',
  'css_cap',
  'var_budget',
  'var_depth_cap',
  'css_value_cap',
  'button_scan_cap',
  'jsonld_node_cap',
] as const;
export type BrandReason = (typeof BRAND_REASONS)[number];

/** Style and logo of a page in wire form. Fields that the page does not define are absent. Colors are `#rrggbb`. */
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
