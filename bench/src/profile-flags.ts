import path from 'node:path';
import type { BenchOptions } from './options.js';

/** Node's flags for a CPU profile that is written when the process ends; none without `--profile`. */
export function profileFlags(
  options: Pick<BenchOptions, 'profile'>,
  workDir: string,
  name: string,
): readonly string[] {
  if (!options.profile) return [];
  return ['--cpu-prof', `--cpu-prof-dir=${path.join(workDir, 'profiles', name)}`];
}
