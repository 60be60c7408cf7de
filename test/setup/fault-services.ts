import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export type ServiceName = 'postgres' | 'rabbitmq' | 'minio';

const script = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  '../../scripts/services.mjs',
);
/** kill -9 of a server that the test run started; its data stays. Resolves when it is gone. */
export function killService(name: ServiceName): Promise<void> {
  return services('kill', name);
}

/** Brings it back on the same address. Resolves when it answers; nothing happens when it runs. */
export function startService(name: ServiceName): Promise<void> {
  return services('start', name);
}

/** kill -9, all its data deleted, started again on the same address: a lost disk. */
export function wipeService(name: ServiceName): Promise<void> {
  return services('wipe', name);
}

/** An orderly stop; its data stays. */
export function stopService(name: ServiceName): Promise<void> {
  return services('stop', name);
}

async function services(command: string, name: ServiceName): Promise<void> {
  await promisify(execFile)(process.execPath, [script, command, name]);
}
