import { DropTask, type Delivery } from '@app/broker';
import type { ScanTask } from '@app/contracts';
import type { Metrics } from '@app/telemetry';

/** Answer to a scan task. */
export interface ScanReply {
  readonly kind: 'unavailable';
  readonly problem: string;
}

/**
 * Handler of the `tech-scan` queue. No fingerprints are part of this build, and it says so: callers
 * get a reason, never an empty result that looks like a finding.
 */
export function scanHandler(metrics: Metrics) {
  return async ({ task }: Delivery): Promise<ScanReply> => {
    parseScanTask(task);
    metrics.techScans.inc({ outcome: 'unavailable' });
    return { kind: 'unavailable', problem: 'This build has no fingerprints to match.' };
  };
}

function parseScanTask(value: unknown): ScanTask {
  const task = value as Partial<ScanTask> | null;
  const isTask =
    typeof task?.requestId === 'string' &&
    typeof task.tenantId === 'string' &&
    typeof task.deadlineAtMs === 'number';
  if (!isTask) throw new DropTask('not a scan task');
  return task as ScanTask;
}
