// Runs in a content thread: hangs for pages whose address says so.
import { threadId } from 'node:worker_threads';

export default ({ url, maxCpuMs, clock }) => {
  const { user, system } = process.threadCpuUsage();
  new Float64Array(clock)[1] = user + system;
  Atomics.store(new Int32Array(clock), 0, threadId);
  if (url.endsWith('/hang')) for (;;);
  if (url.endsWith('/expression')) /^(?:a+)+$/.test('a'.repeat(60) + 'b');
  return { content: { url, maxCpuMs }, found: [] };
};
