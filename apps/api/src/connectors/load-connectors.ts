import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILT_IN_CONNECTORS, ConnectorRegistry, type Connector } from '@app/connectors';
import type { Logger } from '@app/telemetry';

/** Modules of the operator. */
const MODULE = /\.m?js$/;

/**
 * The catalog: the connectors of this program, then those of the operator's folder. A module that cannot be loaded is left
 * out and logged; the others are served.
 * @param built those beyond the built-in ones that this process has
 */
export async function loadConnectors(
  folder: string,
  log: Logger,
  built: readonly Connector[] = [],
): Promise<ConnectorRegistry> {
  const registry = new ConnectorRegistry();
  for (const connector of [...BUILT_IN_CONNECTORS, ...built]) registry.add(connector);
  if (folder === '') return registry;
  for (const file of await modulesIn(folder, log)) {
    try {
      registry.add(await defaultOf(path.join(folder, file)), { isOwn: true });
      log.info({ file }, 'a connector was loaded');
    } catch (err) {
      log.error({ err, file }, 'a connector was not loaded: correct the module and restart');
    }
  }
  return registry;
}

async function modulesIn(folder: string, log: Logger): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => MODULE.test(name)).sort();
  } catch (err) {
    log.error({ err, folder }, 'CONNECTORS_DIR cannot be read');
    return [];
  }
}

async function defaultOf(file: string): Promise<unknown> {
  const loaded = (await import(pathToFileURL(path.resolve(file)).href)) as {
    readonly default?: unknown;
  };
  return loaded.default;
}
