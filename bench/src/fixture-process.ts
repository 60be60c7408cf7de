import { fileURLToPath } from 'node:url';
import { projectNode, SpawnedProcess } from '@app/testing';
import type { FixtureStats } from './fixture-stats.js';
import type { BenchOptions } from './options.js';

/** The fixture site as the harness holds it. */
export class FixtureProcess {
  private constructor(
    private readonly process: SpawnedProcess,
    readonly url: string,
  ) {}

  static async start({
    pages,
    latencyMs,
    suite,
  }: Pick<BenchOptions, 'pages' | 'latencyMs' | 'suite'>): Promise<FixtureProcess> {
    const script = fileURLToPath(new URL('./fixture.js', import.meta.url));
    const process = SpawnedProcess.spawn({
      name: 'fixture',
      command: projectNode(),
      args: [script, String(pages), String(latencyMs), suite],
    });
    const ready = await process.waitForLog((line) => line.msg === 'listening', 'its address');
    return new FixtureProcess(process, String(ready.url));
  }

  get pid(): number {
    return this.process.pid;
  }

  async stats(): Promise<FixtureStats> {
    return (await (await fetch(`${this.url}/__stats`)).json()) as FixtureStats;
  }

  async reset(): Promise<void> {
    await (await fetch(`${this.url}/__reset`)).arrayBuffer();
  }

  async stop(): Promise<void> {
    await this.process.kill9();
  }
}
