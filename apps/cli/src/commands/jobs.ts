import type { Command } from 'commander';
import type { JobSnapshot, Schemas } from '@app/client';
import type { Cli, GlobalFlags } from '../cli.js';

export function addJobs(program: Command, cli: Cli): void {
  const jobs = program
    .command('jobs')
    .description('List your newest jobs, or show one')
    .argument('[id]', 'a job')
    .action(async (id: string | undefined, _: unknown, self: Command) => {
      const { json, ...flags } = self.optsWithGlobals<GlobalFlags>();
      const trawl = cli.client(flags);
      const call = { signal: cli.signal };
      const shown = id === undefined ? await trawl.jobs(call) : await trawl.job(id).status(call);
      const text = 'pages' in shown ? describeJob(shown) : describeJobs(shown);
      await cli.terminal.write(json ? `${JSON.stringify(shown, undefined, 2)}\n` : text);
    });
  jobs
    .command('cancel')
    .description('Cancel a job')
    .argument('<id>', 'a job')
    .action(async (id: string, _: unknown, self: Command) => {
      const { json, ...flags } = self.optsWithGlobals<GlobalFlags>();
      const ended = await cli.client(flags).job(id).cancel({ signal: cli.signal });
      await cli.terminal.write(json ? `${JSON.stringify(ended)}\n` : `${id} is ${ended.status}\n`);
    });
}

function describeJobs(jobs: readonly Schemas['JobSummary'][]): string {
  return jobs
    .map(({ id, type, status, pages_scraped, created_at, url }) => {
      const cells = [id, type.padEnd(7), status.padEnd(10), `${pages_scraped}`.padStart(6)];
      return `${[...cells, created_at.slice(0, 19), url].join('  ')}\n`;
    })
    .join('');
}

function describeJob(job: JobSnapshot): string {
  const { id, type, status, url, pages, skipped, failed, error, created_at, completed_at } = job;
  const rows: [string, string | null][] = [
    ['id', id],
    ['type', type],
    ['status', status],
    ['url', url],
    ['pages', counts({ ...pages })],
    ['skipped', counts(skipped)],
    ['failed', counts(failed)],
    ['error', error],
    ['created', created_at],
    ['completed', completed_at],
    ['results', job.result_url],
  ];
  return rows
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name.padEnd(10)} ${value}\n`)
    .join('');
}

function counts(of: Readonly<Record<string, number>>): string {
  return Object.entries(of)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
