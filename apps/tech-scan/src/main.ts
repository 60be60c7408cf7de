// Entry: one technology-scan process of a cluster.
import 'reflect-metadata';
import { runPortsProcess } from '@app/runtime';
import { startTechScan } from './start-tech-scan.js';

await runPortsProcess('tech-scan', async (runtime) => {
  const techScan = await startTechScan(runtime);
  return [{ name: 'drain', run: () => techScan.drain(runtime.settings.drainSeconds * 1_000) }];
});
