import { execFile } from 'node:child_process';
import { cp, mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@app/processes';
import { Client } from 'pg';
import { installedPostgres } from '../../apps/standalone/src/postgres-binaries.js';
import {
  locatePostgresHome,
  openCluster,
  type PostgresHome,
} from '../../apps/standalone/src/postgres-home.js';
import { startServer, type PostgresProcess } from '../../apps/standalone/src/postgres-process.js';
import type { Fresh } from '../setup/test-servers.js';

const execute = promisify(execFile);

/** Files of a server as they were at one moment, and the password of its user `postgres`. */
export interface BaseBackup {
  readonly folder: string;
  readonly password: string;
}

/** A PostgreSQL server of one test, which may be lost and come back from a backup. */
export class PrivatePostgres implements Fresh {
  private constructor(
    private readonly dataDir: string,
    private readonly home: PostgresHome,
    private readonly password: string,
    private readonly server: PostgresProcess,
    private readonly port: number,
  ) {}

  /** An empty one, or one with the files of a backup. */
  static async start(backup?: BaseBackup): Promise<PrivatePostgres> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'trawl-postgres-'));
    const home = locatePostgresHome({ dataDir, native: installedPostgres(), log: () => undefined });
    if (backup) await putBack(backup, home);
    const password = openCluster(home, () => undefined);
    const port = await freePort();
    // What was written since the start of a backup must be there when it ends.
    const server = await startServer({ home, port, settings: { wal_keep_size: '1GB' } });
    return new PrivatePostgres(dataDir, home, password, server, port);
  }

  get url(): string {
    return `postgres://postgres:${this.password}@127.0.0.1:${this.port}/postgres`;
  }

  /** As pg_basebackup does it: the files while the server works, then the log that makes them whole. */
  async backUp(): Promise<BaseBackup> {
    const folder = path.join(this.dataDir, 'backup');
    const client = new Client(this.url);
    await client.connect();
    try {
      await client.query(`SELECT pg_backup_start('test', true)`);
      await copyChanging(this.home.cluster, folder);
      const { rows } = await client.query<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(false)',
      );
      await writeFile(path.join(folder, 'backup_label'), rows[0]?.labelfile ?? '');
    } finally {
      await client.end();
    }
    const log = path.join(this.home.cluster, 'pg_wal');
    await cp(log, path.join(folder, 'pg_wal'), { recursive: true });
    return { folder, password: this.password };
  }

  /** The machine is gone; its backup is not. */
  async lose(): Promise<void> {
    process.kill(this.server.pid, 'SIGKILL');
    await this.server.exited;
  }

  async drop(): Promise<void> {
    await this.server.stop();
    await Promise.all([this.dataDir, this.home.dir].map((dir) => rm(dir, { recursive: true })));
  }
}

/** A file that grows or goes while it is copied is no failure: the log makes the copy whole. */
async function copyChanging(from: string, to: string): Promise<void> {
  await mkdir(to);
  const script = `
    tar -C "$1" --warning=no-file-changed --warning=no-file-removed \\
      --exclude=./postmaster.pid --exclude=./postmaster.opts --exclude='./pg_wal/*' -cf "$2.tar" .
    [ $? -le 1 ] && tar -C "$2" -xpf "$2.tar" && rm "$2.tar"`;
  await execute('/bin/sh', ['-c', script, 'copy', from, to]);
}

async function putBack({ folder, password }: BaseBackup, home: PostgresHome): Promise<void> {
  await execute('cp', ['-a', folder, home.cluster]);
  await writeFile(path.join(home.dir, 'password'), password);
  const { uid, gid } = home.runAs ?? {};
  if (uid !== undefined) await execute('chown', ['-R', `${uid}:${gid}`, home.dir]);
}
