export * from './load-settings.js';
export * from './plan-prices.js';
export * from './settings.js';
export * from './trust-proxy.js';
