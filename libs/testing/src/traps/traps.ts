import { ACTION_TRAPS } from './action-traps.js';
import { BROWSER_TRAPS } from './browser-traps.js';
import { SHELL_TRAPS } from './shell-traps.js';
import type { Trap } from './trap.js';
import { TRANSFER_TRAPS } from './transfer-traps.js';
import { WALL_TRAPS } from './wall-traps.js';

/** Every trap of the fixture site, each path once. */
export const TRAPS: readonly Trap[] = [
  ...SHELL_TRAPS,
  ...WALL_TRAPS,
  ...BROWSER_TRAPS,
  ...ACTION_TRAPS,
  ...TRANSFER_TRAPS,
];
