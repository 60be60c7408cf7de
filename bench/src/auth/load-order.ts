import { fileURLToPath } from 'node:url';
import { projectNode, SpawnedProcess } from '@app/testing';

/** Orders to the process of the load. */
export interface LoadOrder {
  readonly port: number;
  readonly path: string;
  /** One for each tenant; they take turns. */
  readonly keys: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Null: as fast as answers come. */
  readonly perSecond: number | null;
}

export interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** Longer than the load: for its start, and for answers that are slow to come. */
const BEYOND_MS = 60_000;

/** Runs one load in a process of its own. @throws when an answer is not 200 */
export async function sendLoad(order: LoadOrder): Promise<LoadResult> {
  const process = SpawnedProcess.spawn({
    name: 'load',
    command: projectNode(),
    args: [fileURLToPath(new URL('./load.js', import.meta.url)), JSON.stringify(order)],
  });
  try {
    const isDone = (line: Readonly<Record<string, unknown>>): boolean => line.msg === 'done';
    const within = order.seconds * 1_000 + BEYOND_MS;
    const done = await process.waitForLog(isDone, 'the figures of the load', within);
    const result = done.result as LoadResult;
    const others = Object.keys(result.statuses).filter((status) => status !== '200');
    if (others.length === 0) return result;
    throw new Error(`${order.path} answered ${JSON.stringify(result.statuses)}`);
  } finally {
    await process.kill9();
  }
}
