import { Module } from '@nestjs/common';
import { CompanyWriter } from '@app/graph';
import type { Runtime } from '@app/runtime';
import { RUNTIME } from '../runtime.token.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { EnrichController } from './enrich/enrich.controller.js';
import { BrandController } from './brand/brand.controller.js';
import { EnrichService } from './enrich/enrich.service.js';
import { BrandService } from './brand/brand.service.js';

/** Company endpoints: enrichment and brand. */
@Module({
  imports: [FetchersModule],
  controllers: [EnrichController, BrandController],
  providers: [
    EnrichService,
    BrandService,
    {
      provide: CompanyWriter,
      useFactory: (runtime: Pick<Runtime, 'database' | 'log'>) => new CompanyWriter(runtime),
      inject: [RUNTIME],
    },
  ],
})
export class CompanyModule {}
