import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { projectNode, projectRoot } from '@app/testing';

const RUN = path.join(projectRoot(), 'test/sealed-net/mutations.mjs');

interface Summary {
  readonly cases: number;
  readonly mutants: number;
  readonly whole: readonly string[];
  readonly survivors: readonly string[];
}

describe('the guard with one rule switched off', () => {
  it('fails a case, whichever the rule; whole, it fails none', () => {
    const { stdout, stderr } = spawnSync(projectNode(), [RUN, '--json'], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    if (!stdout.startsWith('{')) throw new Error(`no summary: ${stderr}`);
    const summary = JSON.parse(stdout) as Summary;
    expect(summary).toMatchObject({ whole: [], survivors: [] });
    expect(summary.mutants).toBeGreaterThan(190);
    expect(summary.cases).toBeGreaterThan(350);
  });
});
