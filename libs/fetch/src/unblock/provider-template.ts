/** Values that the templates of a provider may use. A null value drops its parameter or field. */
export type TemplateValues = {
  readonly key: string;
  readonly url: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | null;
  readonly render: boolean;
  /** Milliseconds the provider has. */
  readonly timeoutMs: number;
  /** The caller's headers; null unless they may be handed on. */
  readonly headers: Readonly<Record<string, string>> | null;
  /** The caller's Cookie header; null unless it may be handed on. */
  readonly cookies: string | null;
};

export const PLACEHOLDERS: readonly (keyof TemplateValues)[] = [
  'key',
  'url',
  'country',
  'render',
  'timeoutMs',
  'headers',
  'cookies',
];
