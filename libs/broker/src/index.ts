export { openTaskQueue } from './open-task-queue.js';
export { SealedTaskQueue, type SealingKeys } from './sealed-task-queue.js';
export {
  BrokerUnavailableError,
  DropTask,
  QueueFullError,
  RequestTimeoutError,
  RetryTask,
  TaskTooLargeError,
} from './task-errors.js';
export { MAX_REPLY_BYTES, MAX_TASK_BYTES } from './task-json.js';
export type { TaskQueueEvents } from './task-queue-events.js';
export type * from './task-queue.js';
