import { Module, type DynamicModule } from '@nestjs/common';
import type { Runtime } from '@app/runtime';
import { BatchController } from './batch/batch.controller.js';
import { BatchService } from './batch/batch.service.js';
import { BillingController } from './billing/billing.controller.js';
import { BillingPayments } from './billing/billing-payments.js';
import { BillingService } from './billing/billing.service.js';
import { PaymentEventsController } from './billing/payment-events.controller.js';
import { PaymentEventsService } from './billing/payment-events.service.js';
import { BrandController } from './brand/brand.controller.js';
import { BrandService } from './brand/brand.service.js';
import { CompanyGraph } from './company/company-graph.js';
import { CrawlController } from './crawl/crawl.controller.js';
import { CrawlService } from './crawl/crawl.service.js';
import { DownloadsController } from './downloads/downloads.controller.js';
import { EnrichController } from './enrich/enrich.controller.js';
import { EnrichService } from './enrich/enrich.service.js';
import { ExtractController } from './extract/extract.controller.js';
import { ExtractService } from './extract/extract.service.js';
import { HealthController } from './health/health.controller.js';
import { Bookings } from './http/bookings.js';
import { Conversions } from './http/conversions.js';
import { FetcherCall } from './http/fetcher-call.js';
import { ImageLinks } from './http/image-links.js';
import { LongAnswers } from './http/long-answers.js';
import { PageCall } from './http/page-call.js';
import { TargetCheck } from './http/target-check.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsService } from './jobs/jobs.service.js';
import { KeysController } from './keys/keys.controller.js';
import { KeysService } from './keys/keys.service.js';
import { ProvisionController } from './keys/provision.controller.js';
import { ProvisionService } from './keys/provision.service.js';
import { MapController } from './map/map.controller.js';
import { MapService } from './map/map.service.js';
import { ParseController } from './parse/parse.controller.js';
import { ParseService } from './parse/parse.service.js';
import { PricingController } from './pricing/pricing.controller.js';
import { ReextractController } from './reextract/reextract.controller.js';
import { ReextractService } from './reextract/reextract.service.js';
import { EventsController } from './results/events.controller.js';
import { LedgerController } from './results/ledger.controller.js';
import { LedgerService } from './results/ledger.service.js';
import { LiveJobs } from './results/live-jobs.js';
import { ResultsController } from './results/results.controller.js';
import { ResultsService } from './results/results.service.js';
import { DataController } from './retention/data.controller.js';
import { DataService } from './retention/data.service.js';
import { RUNTIME } from './runtime.token.js';
import { ScrapeController } from './scrape/scrape.controller.js';
import { ScrapeService } from './scrape/scrape.service.js';
import { ScreenshotController } from './screenshot/screenshot.controller.js';
import { ScreenshotService } from './screenshot/screenshot.service.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageService } from './usage/usage.service.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

@Module({})
export class AppModule {
  static for(runtime: Runtime, answers: LongAnswers): DynamicModule {
    return {
      module: AppModule,
      controllers: [
        HealthController,
        ScrapeController,
        MapController,
        ExtractController,
        EnrichController,
        BrandController,
        ParseController,
        ScreenshotController,
        BatchController,
        CrawlController,
        ReextractController,
        ResultsController,
        LedgerController,
        EventsController,
        JobsController,
        KeysController,
        ProvisionController,
        BillingController,
        PaymentEventsController,
        UsageController,
        WebhooksController,
        DataController,
        PricingController,
        DownloadsController,
      ],
      providers: [
        { provide: RUNTIME, useValue: runtime },
        { provide: LongAnswers, useValue: answers },
        TargetCheck,
        FetcherCall,
        ImageLinks,
        Bookings,
        Conversions,
        PageCall,
        ScrapeService,
        MapService,
        ExtractService,
        EnrichService,
        CompanyGraph,
        BrandService,
        ParseService,
        ScreenshotService,
        BatchService,
        CrawlService,
        ReextractService,
        JobsService,
        ResultsService,
        LedgerService,
        LiveJobs,
        KeysService,
        ProvisionService,
        BillingPayments,
        BillingService,
        PaymentEventsService,
        UsageService,
        WebhooksService,
        DataService,
      ],
    };
  }
}
