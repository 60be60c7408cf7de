import { fileURLToPath } from 'node:url';
import { projectNode, SpawnedProcess } from '@app/testing';
import type { FixtureStats } from './fixture-stats.js';
import type { SiteKind } from './site-kind.js';

export interface FixtureOptions {
  readonly pages: number;
  readonly latencyMs: number;
  readonly kind: SiteKind;
  /** Ports that each have all the pages. @default 1 */
  readonly hosts?: number;
}

/** The fixture site as the harness holds it. */
export class FixtureProcess {
  private constructor(
    private readonly process: SpawnedProcess,
    /** Of its hosts; at least one. */
    readonly urls: readonly string[],
  ) {}

  static async start({
    pages,
    latencyMs,
    kind,
    hosts = 1,
  }: FixtureOptions): Promise<FixtureProcess> {
    const script = fileURLToPath(new URL('./fixture.js', import.meta.url));
    const process = SpawnedProcess.spawn({
      name: 'fixture',
      command: projectNode(),
      args: [script, String(pages), String(latencyMs), kind, String(hosts)],
    });
    const ready = await process.waitForLog((line) => line.msg === 'listening', 'its address');
    return new FixtureProcess(process, ready.urls as readonly string[]);
  }

  /** The first of its hosts. */
  get url(): string {
    return this.urls[0] ?? '';
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
