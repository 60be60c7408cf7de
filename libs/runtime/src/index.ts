export { CallPacer } from './call-pacer.js';
export * from './create-guard.js';
export {
  DEPENDENCY_FIXES,
  openRuntime,
  OUTSTANDING_CALLS,
  type PortsRuntime,
  type Runtime,
} from './open-runtime.js';
export { VERSION } from './version.js';
export { openOrExit, runPortsProcess, runProcess, settingsOrExit } from './run-process.js';
export { sweepTaskKeys } from './task-keys.js';
export { BackgroundLoop, type Loop, type LoopGroup } from './background-loop.js';
export { LeaseKeeper } from './lease-keeper.js';
export { unusableSettings } from './unusable-settings.js';
export { TookTooLongError, waitAtMost } from './wait-at-most.js';
