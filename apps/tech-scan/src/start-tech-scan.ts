import type { Runtime } from '@app/runtime';
import { scanHandler } from './scan.consumer.js';

const CONCURRENCY = 4;

export interface RunningTechScan {
  drain(timeoutMs: number): Promise<{ readonly abandoned: number }>;
}

/** Starts to consume scan tasks. */
export async function startTechScan({ queue, metrics }: Runtime): Promise<RunningTechScan> {
  const consumer = await queue.consume('tech-scan', {
    concurrency: CONCURRENCY,
    handler: scanHandler(metrics),
  });
  return { drain: (timeoutMs) => consumer.drain(timeoutMs) };
}
