import { Module } from '@nestjs/common';
import { graphConnector } from '@app/connectors';
import type { Runtime } from '@app/runtime';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { RUNTIME } from '../runtime.token.js';
import { ScrapersModule } from '../scrapers/scrapers.module.js';
import { companyQueries } from '../graph/company-queries.js';
import { ConnectorSourcesFactory } from './connector-sources.js';
import { ConnectorsController } from './connectors.controller.js';
import { CONNECTORS } from './connectors.token.js';
import { loadConnectors } from './load-connectors.js';
import { PreviewService } from './preview.service.js';
import { PullRunner } from './pull-runner.js';
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
