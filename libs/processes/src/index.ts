export { containerMemory } from './container-memory.js';
export { freePort, ReservedPort } from './free-port.js';
export { commandLine, isAlive, processesIn, startedAt } from './process-identity.js';
export {
  readProcesses,
  residentBytes,
  startTimeOf,
  tracesOf,
  treeOf,
  type ProcessRow,
} from './process-table.js';
export { parseStat, processIds, readProcess, readProcFile, type ProcStat } from './proc-files.js';
export type { RunAs } from './run-as.js';
export { lowerSession } from './session-niceness.js';
