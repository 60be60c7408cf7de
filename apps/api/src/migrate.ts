// Migrates the database schema and ends: for an init container or a job that runs before the API.
import 'reflect-metadata';
import { requireSettings } from '@app/config';
import { Database } from '@app/database';
import { openOrExit, settingsOrExit } from '@app/runtime';
import { createLogger } from '@app/telemetry';

const settings = settingsOrExit();
const log = createLogger({ level: settings.logLevel, component: 'migrate' });
const { databaseUrl } = openOrExit(settings, (all) => requireSettings(all, ['databaseUrl']));
const database = new Database({
  url: databaseUrl,
  poolSize: 2,
  applicationName: 'trawl-migrate',
});
try {
  await database.connect();
  const done = await database.migrate();
  log.info({ migrations: done }, done.length > 0 ? 'schema migrated' : 'schema is current');
} catch (err) {
  log.fatal({ err }, 'the schema was not migrated');
  process.exitCode = 1;
} finally {
  await database.close();
}
