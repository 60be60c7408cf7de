import 'reflect-metadata';
import { userInfo } from 'node:os';
import { loadSettings } from '@app/config';
import { AdminProblem } from '../../api/src/admin/admin-problem.js';
import { runAdmin } from '../../api/src/admin/run-admin.js';
import { openAdminDatabase } from './open-admin-database.js';

process.exitCode = await runAdmin(process.argv.slice(2), {
  open: async () => openAdminDatabase(settingsOrProblem()),
  actor: userName(),
  write: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
});

function settingsOrProblem() {
  try {
    return loadSettings();
  } catch (cause) {
    throw new AdminProblem(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** In a container the user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
