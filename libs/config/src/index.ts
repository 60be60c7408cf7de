export type { Field } from './fields.js';
export {
  BAD_SETTINGS_EXIT_CODE,
  loadSettings,
  programEnvironment,
  removedSettings,
  requireSettings,
  SettingsError,
} from './load-settings.js';
export { parseMailFrom, parseSmtpUrl } from './mail-settings.js';
export { parseOtlpHeaders } from './otlp-headers.js';
export { payPerCallTerms, type PayPerCallTerms } from './load-settings.js';
export * from './plan-prices.js';
export * from './settings.js';
export { parseTrustProxy } from './trust-proxy.js';
