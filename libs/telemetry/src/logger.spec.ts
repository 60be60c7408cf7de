import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectNode, projectRoot } from '@app/testing';

/** One thread for files and hashes, which a hash keeps busy, so that what is logged cannot be written yet. */
const script = `
  import { pbkdf2 } from 'node:crypto';
  const { createLogger, printAfterLog } = await import('./libs/telemetry/src/logger.ts');
  const log = createLogger({ level: 'info', component: 'test' });
  pbkdf2('password', 'salt', 300_000, 64, 'sha512', () => undefined);
  log.info('ready');
  printAfterLog(log, 'Welcome');`;

describe('text printed after the log', () => {
  it('comes after the lines that were logged before, however late these are written', async () => {
    const hooks = path.join(projectRoot(), 'test/setup/from-sources.mjs');
    const args = ['--import', hooks, '--input-type=module', '--eval', script];
    const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
    const options = { cwd: projectRoot(), env };
    const { stdout } = await promisify(execFile)(projectNode(), args, options);
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringContaining('"msg":"ready"'),
      'Welcome',
    ]);
  });
});
