import { DropTask } from '@app/broker';
import type { ScanTask } from '@app/tech';

/** No caller waits longer for a scan, and timers count no further than 24 days. */
const MAX_TASK_MS = 600_000;

/** @throws DropTask if it is not a scan task */
export function parseScanTask(value: unknown): ScanTask {
  const task = value as Partial<ScanTask> | null;
  const isTask =
    isName(task?.requestId) &&
    isName(task?.tenantId) &&
    isName(task?.inputKey) &&
    typeof task?.deadlineAtMs === 'number';
  if (!isTask) throw new DropTask('not a scan task');
  const { requestId, tenantId, inputKey, deadlineAtMs } = task as ScanTask;
  return {
    requestId,
    tenantId,
    inputKey,
    deadlineAtMs: Math.min(deadlineAtMs, Date.now() + MAX_TASK_MS),
  };
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
