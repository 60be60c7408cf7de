export * from './create-guard.js';
export * from './open-runtime.js';
export * from './version.js';
export * from './run-process.js';
export { sweepTaskKeys, TaskKeys } from './task-keys.js';
export { BackgroundLoop, type Loop, type LoopGroup, type LoopOptions } from './background-loop.js';
