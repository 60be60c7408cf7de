import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot, spawnApp, until } from '@app/testing';
import { programEnd, runProgram } from '../setup/run-program.js';
import {
  brokerUrl,
  freshDatabase,
  freshPrefix,
  storageServerUrl,
  type Fresh,
} from '../setup/test-servers.js';

/** An earlier commit in a folder of its own, built: its apps run beside those of this tree. */
export class PreviousVersion {
  private constructor(
    /** Of its project; see `spawnApp`. */
    readonly root: string,
  ) {}

  /**
   * Packages are those of this tree, so a commit with others may not run.
   * @param commit as git names it. @default TRAWL_PREVIOUS_COMMIT, or the parent of the current commit
   */
  static async checkOut(
    commit = process.env['TRAWL_PREVIOUS_COMMIT'] || 'HEAD^',
  ): Promise<PreviousVersion> {
    const found = await programEnd(
      ['git', 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`],
      {},
    );
    if (found.code !== 0)
      throw new Error(
        `the commit ${commit} is not in this clone: if the clone is shallow, \`git fetch --unshallow\`; ` +
          'or name a commit that it has in TRAWL_PREVIOUS_COMMIT',
      );
    const root = await mkdtemp(path.join(tmpdir(), 'trawl-previous-'));
    const version = new PreviousVersion(root);
    try {
      const archive = path.join(root, 'tree.tar');
      await runProgram(projectRoot(), 'git', ['archive', `--output=${archive}`, found.out.trim()]);
      await runProgram(root, 'tar', ['-xf', archive]);
      await symlink(path.join(projectRoot(), 'node_modules'), path.join(root, 'node_modules'));
      await runProgram(root, process.execPath, ['scripts/build.mjs']);
      return version;
    } catch (error) {
      await version.remove();
      throw error;
    }
  }

  /** A database with the schema of that version, as its API makes it when it starts. */
  async freshDatabase(): Promise<Fresh> {
    const fresh = await freshDatabase();
    const env = {
      DATABASE_URL: fresh.url,
      BROKER_URL: brokerUrl(),
      BROKER_PREFIX: freshPrefix(),
      STORAGE_URL: storageServerUrl(),
      PORT: '0',
    };
    const api = await spawnApp({ app: 'api', root: this.root, env });
    try {
      const isReady = async (): Promise<boolean> => (await fetch(`${api.url}/health/ready`)).ok;
      await until(isReady, { what: 'the schema of the previous version', timeoutMs: 60_000 });
      await api.process.stop('SIGTERM');
      return fresh;
    } catch (error) {
      await api.process.kill9();
      await fresh.drop();
      throw error;
    }
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
