export * from './open-task-queue.js';
export { DEFAULT_MAX_LENGTHS, type MaxLengths } from './queue-limits.js';
export { SealedTaskQueue, type SealingKeys } from './sealed-task-queue.js';
export * from './task-errors.js';
export { MAX_REPLY_BYTES, MAX_TASK_BYTES } from './task-json.js';
export type * from './task-queue-events.js';
export type * from './task-queue.js';
export { isSealed, type SealingKey } from './task-seal.js';
