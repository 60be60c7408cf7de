export * from './call-pacer.js';
export * from './create-guard.js';
export {
  DEPENDENCY_FIXES,
  openRuntime,
  OUTSTANDING_CALLS,
  type PortsRuntime,
  type Runtime,
} from './open-runtime.js';
export * from './version.js';
export { openOrExit, runPortsProcess, runProcess, settingsOrExit } from './run-process.js';
export { sweepTaskKeys } from './task-keys.js';
export { BackgroundLoop, type Loop, type LoopGroup } from './background-loop.js';
export { LeaseKeeper } from './lease-keeper.js';
export { NAMED_TARGETS, unusableSettings, type UnusableSetting } from './unusable-settings.js';
export { TookTooLongError, waitAtMost } from './wait-at-most.js';
