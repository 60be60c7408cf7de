export * from './health.js';
export * from './logger.js';
export * from './metrics.js';
export * from './ops-server.js';
export * from './shutdown.js';
