// Entry: one technology-scan process of a cluster.
import 'reflect-metadata';
import { runProcess } from '@app/runtime';
import { startTechScan } from './start-tech-scan.js';

await runProcess({ component: 'tech-scan', migrate: false }, async (runtime) => {
  const techScan = await startTechScan(runtime, { isWarm: true });
  return [{ name: 'drain', run: () => techScan.drain(runtime.settings.drainSeconds * 1_000) }];
});
