/** Why an attempt failed (specification: `error_class` values). A successful attempt carries null. */
export const ERROR_CLASSES = [
  'timeout',
  'http_error',
  'network',
  'blocked',
  'robots',
  'provider_error',
  'parse_error',
  'js_shell',
  'empty',
  'cost_ceiling',
  'unknown',
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];
