// Runs in a thread that compares pages: the Markdown of the page says what it does.
import { threadId } from 'node:worker_threads';

export default ({ before, clock }) => {
  const { user, system } = process.threadCpuUsage();
  new Float64Array(clock)[1] = user + system;
  Atomics.store(new Int32Array(clock), 0, threadId);
  const { markdown } = JSON.parse(Buffer.from(before).toString());
  const kept = [];
  while (markdown === 'hangs');
  while (markdown === 'grows') kept.push(Array.from({ length: 1_000_000 }, (_, at) => ({ at })));
  return { changedLines: 1, diff: 'quick' };
};
