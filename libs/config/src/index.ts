export * from './load-settings.js';
export * from './mail-settings.js';
export { payPerCallTerms, type PayPerCallTerms } from './pay-per-call.js';
export * from './plan-prices.js';
export * from './settings.js';
export * from './trust-proxy.js';
