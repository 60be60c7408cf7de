export { type SlotLimits, slotsByTenant, slotsInOrder, TenantTurns } from './tenant-turns.js';
export { type Turn, TurnLine, type TurnRequest } from './turn-line.js';
