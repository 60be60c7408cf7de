export * from './discovery-bound.js';
export * from './path-pattern.js';
export * from './politeness.js';
export * from './retry.js';
export * from './scope.js';
export * from './url-key.js';
