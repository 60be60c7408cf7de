import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Module } from '@nestjs/common';
import {
  graphConnector,
  BUILT_IN_CONNECTORS,
  ConnectorRegistry,
  type Connector,
} from '@app/connectors';
import type { Runtime } from '@app/runtime';
import type { Logger } from '@app/telemetry';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { RUNTIME } from '../runtime.token.js';
import { ScrapersModule } from '../scrapers/scrapers.module.js';
import { companyQueries } from '../graph/company-queries.js';
import { ConnectorSourcesFactory } from './connector-sources.js';
import { ConnectorsController } from './connectors.controller.js';
import { CONNECTORS } from './connectors.token.js';
import { PreviewService } from './preview.service.js';
import { PullRunner } from '../runs/pull-runner.js';
import { PullController } from './pull.controller.js';
import { PullService } from './pull.service.js';

const catalog = {
  provide: CONNECTORS,
  inject: [RUNTIME],
  useFactory: ({ settings, log, database }: Pick<Runtime, 'settings' | 'log' | 'database'>) => {
    const built = settings.graphEnabled ? [graphConnector(companyQueries(database))] : [];
    return loadConnectors(settings.connectorsDir, log, built);
  },
};

@Module({
  imports: [FetchersModule, ScrapersModule],
  controllers: [ConnectorsController, PullController],
  providers: [catalog, ConnectorSourcesFactory, PreviewService, PullRunner, PullService],
  exports: [catalog, ConnectorSourcesFactory, PreviewService, PullRunner, PullService],
})
export class ConnectorsModule {}

/** Modules of the operator. */
const MODULE = /\.m?js$/;

/**
 * The catalog: the connectors of this program, then those of the operator's folder. A module that cannot be loaded is left
 * out and logged; the others are served.
 * @param built those beyond the built-in ones that this process has
 */
async function loadConnectors(
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
