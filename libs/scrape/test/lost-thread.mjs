// A reading thread that ends or hangs as the page or the schema says.
import { threadId } from 'node:worker_threads';

export default function loseReadingThread({ markdown, schema, clock }) {
  if (clock !== undefined) {
    const { user, system } = process.threadCpuUsage();
    new Float64Array(clock)[1] = user + system;
    Atomics.store(new Int32Array(clock), 0, threadId);
  }
  switch (markdown ?? schema) {
    case 'hang':
      for (;;);
    case 'grow':
      for (const kept = []; ;) kept.push(new Array(1_000_000).fill(kept.length + 0.5));
    case 'exit':
      return process.exit(1);
    case 'throw':
      throw new Error('a defect');
    default:
      return { parts: [markdown], isCut: false };
  }
}
