export type { Fingerprint } from './fingerprint.js';
export { loadBuiltInFingerprints } from './load/built-in-fingerprints.js';
export { loadFingerprints } from './load/load-fingerprints.js';
export { compileFingerprints } from './scan/compile-fingerprints.js';
export type { FingerprintSet } from './scan/fingerprint-set.js';
export { hardLimitMs } from './scan/hard-limit.js';
export { mergeTechnologies } from './scan/conclude.js';
export { scanPage, type ScanOutcome } from './scan/scan-page.js';
export * from './technology.js';
