import { writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';
import { projectRoot } from '@app/testing';

/** Keeps every round of a bench run beside the machine it ran on, in a file named for the time. */
export async function keepResults(results: object, dir: string, prefix = ''): Promise<void> {
  const at = new Date().toISOString();
  const file = path.join(dir, `${prefix}${at.replaceAll(/[:.]/g, '-')}.json`);
  const machine = {
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.version,
  };
  await writeFile(file, JSON.stringify({ at, machine, ...results }, null, 1));
  console.log(`\nresults in ${path.relative(projectRoot(), file)}`);
}
