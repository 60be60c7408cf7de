import { Module } from '@nestjs/common';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { GraphModule } from '../graph/graph.controller.js';
import { BrandController } from './brand/brand.controller.js';
import { BrandService } from './brand/brand.service.js';
import { EnrichController } from './enrich/enrich.controller.js';
import { EnrichService } from './enrich/enrich.service.js';
import { CompanyRefresh, ResolveService } from './resolve/resolve.service.js';
import { ResolveController } from './resolve/resolve.controller.js';
import { SiteReading } from './resolve/site-reading.js';

/** Company endpoints: enrichment, brand and resolve. */
@Module({
  imports: [FetchersModule, GraphModule],
  controllers: [EnrichController, BrandController, ResolveController],
  providers: [EnrichService, BrandService, ResolveService, SiteReading, CompanyRefresh],
})
export class CompanyModule {}
