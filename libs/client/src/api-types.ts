// Generated from /openapi.json by `npm run format`. Do not edit.
/** Version of the API that these types describe. */
export const API_VERSION = '0.1.0';
/** Formats of the pages of a job: those of a scrape that need no model. */
export const PAGE_FORMATS = [
  'markdown',
  'rawHtml',
  'links',
  'screenshot',
  'branding',
  'product',
] as const;
export interface paths {
  '/v1/scrape': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Fetch one page as Markdown
     * @description The same as POST /v1/scrape, for clients that only have a URL. The response is the Markdown itself; with `Accept: application/json` it is that of POST. Errors are JSON. Percent-encode the value of `url`. Lists are separated by commas, or the parameter is repeated.
     */
    get: operations['scrapeUrl'];
    put?: never;
    /**
     * Fetch one page as Markdown, HTML, links, JSON, summary, branding or product
     * @description With `Accept: text/markdown` the response is the Markdown itself. Errors are JSON.
     */
    post: operations['scrape'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/map': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * List the URLs of a site, from its sitemaps or its pages
     * @description Reads the sitemap of the folder of `url`, the sitemaps that robots.txt names, /sitemap.xml and /sitemap_index.xml, with up to 15 children of indexes. For a site without sitemaps it returns the internal links of the page at `url` and of the homepage; that page is also read, and its links come first, when the sitemaps list none in its folder. Links to other hosts are excluded; a leading `www.` makes no difference.
     */
    post: operations['map'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/extract': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Extract structured data from pages: a business listing, or data by a schema */
    post: operations['extract'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/enrich': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Enrich a company from its homepage and the usual pages
     * @description Reads the homepage, /about, /about-us, /team, /our-team, /contact and /contact-us: e-mail addresses, phones, social profiles, technologies, team. Missing pages are not an error. Robots.txt is obeyed.
     */
    post: operations['enrich'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/enrich/website': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Enrich a company from the most informative pages of its site
     * @description Like POST /v1/enrich, but reads the homepage and the pages it links to: about, team, contact and similar ones, selected by link text and URL in several languages.
     */
    post: operations['enrichWebsite'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/brand': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Read the brand of a company: logo, colors, fonts, profiles, industry
     * @description Reads the homepage, its style sheets (40 at most, 512 KB each, 2 MB and 6 seconds together) and its web manifest. `brand_meta.reasons` lists the limits that cut it. Robots.txt is obeyed.
     */
    post: operations['brand'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/resolve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resolve a domain, an e-mail address or a name to one company record
     * @description A company that the graph knows is returned at once; one that it does not know is read from its site and stored. `{resolved: false, error}` when the site cannot be read. 1 credit for a record, none without one.
     */
    post: operations['resolve'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/graph/query': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Find companies by technology, industry and place
     * @description Reads the shared company graph: public facts only, without contact data. Free. In the order of ids, so that pages by `cursor` neither repeat nor skip a company.
     */
    post: operations['queryGraph'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/graph/business/{idOrDomain}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one company of the graph
     * @description Public facts only, without contact data. Free.
     */
    get: operations['getGraphBusiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/parse': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Convert a document file (PDF, Office, OpenDocument, EPUB, RTF, mail, CSV, Markdown) to Markdown, text and chunks, from an upload or a URL */
    post: operations['parse'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/screenshot': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Picture of a page */
    post: operations['screenshot'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the web, with the pages of the results and a cited answer on request
     * @description The backends of the service are tried in order; the first one with results is used. 2 credits per 10 results begun; a search without results is free. On the plans Pro and Scale, and on custom ones.
     */
    post: operations['search'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/scrapers/maps': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Local businesses from a maps directory
     * @description Rows of the first source of the operator that has some. A credit per row; a search without rows is free. On the Free plan sample rows, marked `mock`, until the operator enables the live scraper for the account.
     */
    post: operations['scrapeMaps'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/scrapers/reviews': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Local businesses from a reviews site
     * @description Rows of the first source of the operator that has some. A credit per row; a search without rows is free.
     */
    post: operations['scrapeReviews'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/scrapers/listings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Local businesses from a phone-book directory
     * @description Rows of the first source of the operator that has some. A credit per row; a search without rows is free.
     */
    post: operations['scrapeListings'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/scrapers/directory': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Listings of up to 500 known pages
     * @description If one page fails, the others still succeed. A credit per page scraped. A list of more than ten pages per worker becomes a job: 202 with its id.
     */
    post: operations['scrapeDirectory'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/connectors': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The catalog of connectors
     * @description Sources of rows that can be previewed and pulled, with their schemas and prices.
     */
    get: operations['listConnectors'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The first rows of a connector, and what a pull would cost
     * @description Free, a limited number a day. The `jobId` can be pulled once by POST /v1/pull, within 24 hours.
     */
    post: operations['preview'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/pull': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The rows of a preview
     * @description A preview can be pulled once; a retry with the same Idempotency-Key gets the same pull. A pull of up to 100 rows that ends within 25 seconds is returned with its rows; any other is a job: 202. Each row is charged once.
     */
    post: operations['pull'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/pull/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The state of a pull */
    get: operations['getPull'];
    put?: never;
    post?: never;
    /**
     * Cancels a pull
     * @description Its rows so far stay, and stay charged. Idempotent.
     */
    delete: operations['cancelPull'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/pull/{id}/results': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The rows of a pull, also while it runs
     * @description Paged by cursor; with `Accept: application/x-ndjson` or `text/csv` streamed, all rows so far.
     */
    get: operations['getPullResults'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/chat': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A request in words: which connector it means, and a preview
     * @description Rules read the message, then a model if one is configured. The response is a preview; nothing is pulled or charged. With `conversationId` a message may change the last request: “only those with a website”, “in Austin instead”, “make it 50”.
     */
    post: operations['chat'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/feeds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All feeds of the account */
    get: operations['listFeeds'];
    put?: never;
    /**
     * Watch a connector by a schedule, and deliver its new rows
     * @description New rows are posted to `webhookUrl`, signed like other webhooks, and are in the files at `addresses`. A new or changed row costs the price of the connector, a known one a tenth.
     */
    post: operations['createFeed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/feeds/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** A feed */
    get: operations['getFeed'];
    put?: never;
    post?: never;
    /**
     * Deletes a feed
     * @description With its rows, history and pending deliveries. What runs have cost stays charged.
     */
    delete: operations['deleteFeed'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/feeds/{id}/runs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The history of a feed */
    get: operations['listFeedRuns'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/feeds/{id}/pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Pauses a feed
     * @description No run starts any more; one in progress ends. Idempotent.
     */
    post: operations['pauseFeed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/feeds/{id}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resumes a paused feed at its next tick
     * @description Runs that were missed while it was paused are left out. Idempotent.
     */
    post: operations['resumeFeed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/feeds/{id}/run': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Runs a feed now
     * @description Also a paused one. Its schedule stays; a run in progress is not repeated.
     */
    post: operations['runFeed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/feeds/{id}/addresses': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Renews the signed addresses of a feed
     * @description For when one got into wrong hands: the former ones are good no more.
     */
    post: operations['renewFeedAddresses'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Scrape up to 100 pages in one request, waiting or as a job
     * @description Items are sent in the order of `urls` as they become ready; with `Accept: application/x-ndjson` one per line in order of completion, and the summary last. If one page fails, the others still succeed. With `async: true` the response is an immediate 202; then poll GET /v1/jobs/{id}.
     */
    post: operations['batch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/profiles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All profiles of the account */
    get: operations['listProfiles'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/profiles/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One profile */
    get: operations['getProfile'];
    /**
     * Save the login of a site under a name
     * @description POST /v1/scrape, /v1/batch and /v1/crawl use it by `profile`. The cookies are encrypted, and go only to the hosts that they are for.
     */
    put: operations['putProfile'];
    post?: never;
    /** Delete a profile with its cookies */
    delete: operations['deleteProfile'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/crawl': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Start a crawl */
    post: operations['startCrawl'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/crawl/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** State and counts of a crawl (alias of /v1/jobs/{id}) */
    get: operations['getCrawl'];
    put?: never;
    post?: never;
    /** Cancel a crawl; idempotent (alias of /v1/jobs/{id}) */
    delete: operations['cancelCrawl'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sites': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All sites of the account */
    get: operations['listSites'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sites/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** A site */
    get: operations['getSite'];
    /**
     * Keep a site under a name, to be crawled again and again
     * @description The options are those of POST /v1/crawl; `schedule` says when. Each crawl fetches and stores only what has changed since the last one that was completed.
     */
    put: operations['putSite'];
    post?: never;
    /**
     * Forget a site
     * @description Its crawls stay, and one that runs goes on.
     */
    delete: operations['deleteSite'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sites/{name}/crawl': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Crawl a site now
     * @description Its schedule stays. While a crawl of the site runs, no other is started.
     */
    post: operations['crawlSite'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sites/{name}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What the crawls of a site changed in a copy of it, as JSON lines
     * @description Of each crawl that was completed after `since` the lines of GET /v1/crawl/{id}/changes, then `{"op":"crawl","id"}`: the `since` of your next request. Up to 100 crawls.
     */
    get: operations['getSiteChanges'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/jobs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the 20 most recent jobs, newest first */
    get: operations['listJobs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/jobs/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the state and counts of a job */
    get: operations['getJob'];
    put?: never;
    post?: never;
    /** Cancel a job of any kind: crawl, batch or extraction; idempotent */
    delete: operations['cancelJob'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/crawl/{id}/results': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Page results of a crawl, also while it runs
     * @description Paged by cursor; with `Accept: application/x-ndjson` streamed, one per line, as gzip if accepted; as a web archive with `format=warc`.
     */
    get: operations['getCrawlResults'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/crawl/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What a crawl changes in a copy of the site, as JSON lines
     * @description A line for each page that is new or has changed (`op` upsert, with its `result`), then one for each that is gone (`op` delete, with its `reason`, and where it leads to as `moved_to`). The `id` of a page is the same in every crawl. Of a crawl without `since`: all pages.
     */
    get: operations['getCrawlChanges'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/crawl/{id}/urls': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * URL report: the outcome of every URL of a job, and why; also while it runs
     * @description Paged by cursor; with `Accept: application/x-ndjson` streamed, one URL per line. Accepts the id of any job.
     */
    get: operations['getCrawlUrls'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/crawl/{id}/search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Search the stored pages of a job, also while it runs
     * @description Full text search of a crawl or an async batch that was started with `index: true`. Best matches first, paged by cursor.
     */
    get: operations['searchCrawl'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/crawl/{id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow a job: its page results as they are stored, its state when it changes
     * @description Server-Sent Events: `document` (id: its number, data: the document), `status` (the job as GET /v1/jobs/{id} shows it), and `end` after the last event. To continue after a disconnect, reconnect with `Last-Event-ID`.
     */
    get: operations['followCrawl'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/crawl/{id}/extract': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Extract new outputs from the stored pages of an ended job
     * @description Starts a new job that fetches nothing: other formats, a listing, or data by a schema, from the stored pages of a crawl or an async batch. Poll it, read it, cancel it and get its webhook like any other job.
     */
    post: operations['startReextraction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List webhooks and their deliveries */
    get: operations['listDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/deliveries/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one webhook with its attempts */
    get: operations['getDelivery'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/deliveries/{id}/redeliver': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a webhook again
     * @description In any state: sent at once, with a new schedule and the same `webhook-id`. A URL that a 410 disabled is enabled again.
     */
    post: operations['redeliver'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send an example event to a URL
     * @description Once, now, and signed like any other webhook. The response says what the receiver answered. Nothing is logged or retried.
     */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the secret that signs your webhooks */
    get: operations['getWebhookSecret'];
    put?: never;
    /**
     * Show a signing secret, only once
     * @description The first call shows the secret that already signs your deliveries, if there is one. Each further call creates a new secret; the previous one keeps signing too for 24 hours.
     */
    post: operations['newWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/data': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete all of your stored data
     * @description Deletes jobs with their results and webhooks, cached pages, screenshots, responses stored for idempotency keys, and company data that your requests read. Running jobs are cancelled. Your keys, webhook secrets and the credit ledger stay. A repeated call extends a running deletion to the current time.
     */
    delete: operations['deleteData'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/data/deletions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the progress of a deletion */
    get: operations['getDeletion'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List your keys and when each was last used */
    get: operations['listKeys'];
    put?: never;
    /**
     * Create a key
     * @description The key is shown only in this response. An account can have at most 50 active keys.
     */
    post: operations['createKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/keys/{id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate a key
     * @description The new key has the label of the old one, which keeps working for `overlapSeconds` (default 24 hours, at most 7 days). Rotating the old key again in that time creates another successor and does not postpone its end. `DELETE /v1/keys/{id}` ends it sooner.
     */
    post: operations['rotateKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/keys/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke a key
     * @description The key stops working at once, everywhere. Repeating the call changes nothing. You can also revoke the key of this request.
     */
    delete: operations['revokeKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/keys/provision': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create an account and a key without signing in
     * @description Creates an account on the free tier with one key, which is shown only in this response. Limited within 24 hours per IP address (`PROVISION_PER_IP_PER_DAY`) and per network (four times as many).
     */
    post: operations['provisionKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/billing/checkout': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Buy a plan or change it
     * @description Returns a page of the payment provider. The plan changes shortly after the payment there. If the account already pays for a plan, the page changes its subscription; for the current plan it is the billing page. So nothing is paid twice.
     */
    post: operations['checkout'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/billing/portal': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Manage cards, invoices and cancellation on a page of the payment provider */
    get: operations['billingPortal'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your usage this month
     * @description The month is the calendar month, UTC. A new account shows zeros.
     */
    get: operations['getUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/billing/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your usage this month
     * @description The same as GET /v1/usage.
     */
    get: operations['getBillingUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/pricing': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Plans, and the price of each endpoint in credits */
    get: operations['getPricing'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  jobEnded: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A job with a `webhook` ended
     * @description Sent at least once. Any response but a 2xx in time is retried for three days; redirects are not followed; 410 disables the URL.
     */
    post: operations['jobEnded'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  feedRows: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A feed with a `webhookUrl` has new rows
     * @description Sent at least once. Any response but a 2xx in time is retried for three days; redirects are not followed; 410 disables the URL.
     */
    post: operations['feedRows'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  feedPaused: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A feed with a `webhookUrl` paused itself
     * @description Sent at least once. Any response but a 2xx in time is retried for three days; redirects are not followed; 410 disables the URL.
     */
    post: operations['feedPaused'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    PassageView: {
      /** @description Markdown: whole paragraphs, lists, rows or lines of code. */
      text: string;
      /** @description Titles of its sections, outermost first. */
      headings: string[];
      /** @description Place in the uncut Markdown of the page, in UTF-16 code units. */
      start: number;
      /** @description Exclusive. */
      end: number;
      /** @description Comparable within one page and question only; higher is better. */
      score: number;
      /**
       * Format: uri
       * @description Opens the page at the passage (a text fragment).
       */
      url: string;
    };
    ListingView: {
      name?: string;
      description?: string;
      address?: string;
      city?: string;
      state?: string;
      zip?: string;
      country?: string;
      phone?: string;
      email?: string;
      /** Format: uri */
      url?: string;
      /** Format: uri */
      website?: string;
      lat?: number;
      lng?: number;
      rating?: number;
      review_count?: number;
      /** @description Same as `review_count`. */
      reviewCount?: number;
      price_range?: string;
      price_min?: number;
      price_max?: number;
      /** @description By day: `HH:MM-HH:MM`, joined by `, `; `closed`; `00:00-24:00` is all day. */
      hours?: Record<string, unknown>;
      amenities?: string[];
      /** Format: uri */
      hero_image?: string;
      photo_urls?: string[];
      license_number?: string;
      capacity?: number;
      founded_year?: number;
      /** @description JSON-LD types of the page. */
      schema_markup_types?: string[];
      /** @description Weighted share of the fields found. */
      _completeness: number;
      /** @description Alias of the score. */
      _confidence: number;
      /** @enum {string} */
      _extraction_method: 'json-ld' | 'microdata' | 'regex-cascade' | 'heuristic';
      /** @description The layer and path of each field. Always included in an extraction, otherwise with `listingProvenance`. */
      _provenance?: Record<string, unknown>;
    };
    MarkdownCutView: {
      /** @description Of the Markdown that is returned. */
      tokens: number;
      /** @description Estimated by the length of the rest. */
      leftOutTokens: number;
      /** @description Titles of sections that are left out whole, the first 50. */
      leftOut: string[];
    };
    FallbackView: {
      /** @description Always true. */
      used: boolean;
      /** @description The first rung that failed. */
      from: string;
      /** @description The successful rung. */
      to: string;
    };
    ActionsView: {
      /** @description Data URIs, in the order of the actions. */
      screenshots: string[];
      /** @description Data URIs, in the order of the actions. */
      pdfs: string[];
    };
    FeedLinkView: {
      url: string;
      type: string;
      title?: string;
    };
    AlternateView: {
      language: string;
      url: string;
    };
    RedirectView: {
      url: string;
      statusCode: number;
    };
    ContentUseView: {
      /** @description Search indexes that show links and short excerpts. */
      search?: boolean;
      /** @description Input of a model that answers: retrieval, grounding. */
      aiInput?: boolean;
      /** @description Training of a model. */
      aiTrain?: boolean;
      /**
       * @description `use` of Content-Signal: how far content may be reused.
       * @enum {string}
       */
      use?: 'immediate' | 'reference' | 'full';
      /** @description Where it is declared. */
      sources: ('robots.txt' | 'header' | 'meta' | 'tdmrep.json' | 'rsl')[];
      /** @description URL of an RSL document. */
      license?: string;
      /** @description URL of a TDM policy. */
      tdmPolicy?: string;
    };
    ModelUseView: {
      /** @description Null if no model was used. */
      model: string | null;
      /** @description US dollars, by the price table. */
      costUsd: number;
      inputTokens: number;
      outputTokens: number;
    };
    ScrapeMetadataView: {
      /** @description Title of the page. */
      title?: string;
      /** @description Title without the site's name, or the main heading; absent if it is `title`. */
      headline?: string;
      /** @description Name of the site. */
      siteName?: string;
      /** @description Section of the site, if the page states it. */
      section?: string;
      /** @description Tags, if the page states them. */
      tags?: string[];
      description?: string;
      language?: string;
      canonical?: string;
      /** @description The robots meta tag. */
      robots?: string;
      favicon?: string;
      /** @description Open Graph properties. */
      openGraph?: Record<string, unknown>;
      /** @description Twitter properties without their prefix. */
      twitter?: Record<string, unknown>;
      author?: string;
      keywords?: string;
      /** @description ISO 8601, or as stated on the page. */
      publishedTime?: string;
      /** @description ISO 8601, or as stated on the page. */
      modifiedTime?: string;
      /** @description Types of the JSON-LD items. */
      jsonLdTypes?: string[];
      /** @description Feeds linked by the page. */
      feeds?: components['schemas']['FeedLinkView'][];
      /** @description The page in other languages. */
      alternates?: components['schemas']['AlternateView'][];
      /** @description Characters of hidden text, excluded from Markdown. */
      hiddenChars?: number;
      contentType?: string;
      /** @description The requested URL. */
      sourceURL: string;
      /** @enum {string} */
      fetchMethod: 'fetch' | 'plain' | 'headless' | 'stealth' | 'hosted_crawler' | 'hosted_browser';
      /** @description Fetch and extraction together, milliseconds. */
      latencyMs: number;
      /** @description Served from the cache. */
      cached: boolean;
      /** @description Age of the copy, if `cached`. */
      cacheAgeMs?: number;
      /** @description Evidence for the verdict, if the page is not clearly complete. */
      signals?: string[];
      /** @description Redirects followed. */
      redirects?: components['schemas']['RedirectView'][];
      /** @description The X-Robots-Tag header. */
      xRobotsTag?: string;
      /** @description URL of the page in Markdown, if it names one. */
      markdownUrl?: string;
      /** @description Uses that the site allows or refuses by Content-Signal, Content-Usage, TDMRep or RSL. What nothing speaks of is absent. The files of TDMRep and RSL are read only with `respectUse`. */
      contentUse?: components['schemas']['ContentUseView'];
      /** @description Source layer of the listing. */
      extractionMethod?: string;
      /** @description Score of the listing. */
      confidence?: number;
      /** @description Model usage of the formats json and summary, and of passages with `rerank`. */
      llm?: components['schemas']['ModelUseView'];
    };
    CascadeAttemptView: {
      /** @enum {string} */
      rung: 'unblock' | 'plain' | 'headless' | 'hosted_crawler' | 'hosted_browser';
      level: number;
      ok: boolean;
      latency_ms: number;
      /** @description Null when the attempt succeeded. */
      error_class: string | null;
      /** @description An address that the page led to by itself, and that was refused because it is private or denied by the operator. The page stayed where it was. */
      refused_navigation?: string;
    };
    RememberedView: {
      /** @description The first rung tried. */
      rung: string;
      /** @description The reason why the lower rungs failed on this host before. */
      error_class: string;
      age_ms: number;
    };
    CascadeView: {
      /** @description Level of the successful rung; null if all failed. */
      level: number | null;
      attempts: components['schemas']['CascadeAttemptView'][];
      /** @description Present if lower rungs were skipped because of earlier results of the host. */
      remembered?: components['schemas']['RememberedView'];
    };
    UnblockAttemptView: {
      provider: string;
      ok: boolean;
      latency_ms: number;
      /** @description Null when the attempt succeeded. */
      error_class: string | null;
      /** @enum {string} */
      outcome: 'ok' | 'blocked' | 'failed';
      /**
       * @description paid: a third-party fetch provider received the URL.
       * @enum {string}
       */
      cost_class: 'free' | 'paid';
    };
    UnblockView: {
      attempts: components['schemas']['UnblockAttemptView'][];
    };
    ScrapeResult: {
      /**
       * Format: uri
       * @description URL after redirects.
       */
      url: string;
      ok: boolean;
      /** @description The page as Markdown. */
      markdown?: string;
      /** @description Page source, with `includeHtml`. */
      html?: string;
      /** @description Null if the page shows no business. Absent with `extractListing: false`. */
      listing?: components['schemas']['ListingView'] | null;
      /** @description Requested outputs by name, when `formats` was sent. */
      formats?: {
        passages?: components['schemas']['PassageView'][];
      } & {
        [key: string]: unknown;
      };
      /** @description Present if `maxTokens` cut it. */
      markdownCut?: components['schemas']['MarkdownCutView'];
      statusCode: number;
      /** @description Content is incomplete or blank. */
      partial?: boolean;
      /** @description Reason if `partial`: an error class, or the limit that cut the page, such as `max_cpu` for CPU time. */
      partial_reason?: string;
      /** @description A later rung returned complete content after an earlier one failed. */
      fallback?: components['schemas']['FallbackView'];
      /** @description Results of screenshot and pdf actions. */
      actions?: components['schemas']['ActionsView'];
      metadata: components['schemas']['ScrapeMetadataView'];
      cascade: components['schemas']['CascadeView'];
      unblock: components['schemas']['UnblockView'];
    };
    FileMetadataView: {
      /** @description Title of the page. */
      title?: string;
      /** @description Title without the site's name, or the main heading; absent if it is `title`. */
      headline?: string;
      /** @description Name of the site. */
      siteName?: string;
      /** @description Section of the site, if the page states it. */
      section?: string;
      /** @description Tags, if the page states them. */
      tags?: string[];
      description?: string;
      language?: string;
      canonical?: string;
      /** @description The robots meta tag. */
      robots?: string;
      favicon?: string;
      /** @description Open Graph properties. */
      openGraph?: Record<string, unknown>;
      /** @description Twitter properties without their prefix. */
      twitter?: Record<string, unknown>;
      author?: string;
      keywords?: string;
      /** @description ISO 8601, or as stated on the page. */
      publishedTime?: string;
      /** @description ISO 8601, or as stated on the page. */
      modifiedTime?: string;
      /** @description Types of the JSON-LD items. */
      jsonLdTypes?: string[];
      /** @description Feeds linked by the page. */
      feeds?: components['schemas']['FeedLinkView'][];
      /** @description The page in other languages. */
      alternates?: components['schemas']['AlternateView'][];
      /** @description Characters of hidden text, excluded from Markdown. */
      hiddenChars?: number;
      contentType?: string;
      /** @description The requested URL. */
      sourceURL?: string;
      /** @enum {string} */
      fetchMethod?:
        'fetch' | 'plain' | 'headless' | 'stealth' | 'hosted_crawler' | 'hosted_browser';
      /** @description Fetch and extraction together, milliseconds. */
      latencyMs?: number;
      /** @description Served from the cache. */
      cached?: boolean;
      /** @description Age of the copy, if `cached`. */
      cacheAgeMs?: number;
      /** @description Evidence for the verdict, if the page is not clearly complete. */
      signals?: string[];
      /** @description Redirects followed. */
      redirects?: components['schemas']['RedirectView'][];
      /** @description The X-Robots-Tag header. */
      xRobotsTag?: string;
      /** @description URL of the page in Markdown, if it names one. */
      markdownUrl?: string;
      /** @description Uses that the site allows or refuses by Content-Signal, Content-Usage, TDMRep or RSL. What nothing speaks of is absent. The files of TDMRep and RSL are read only with `respectUse`. */
      contentUse?: components['schemas']['ContentUseView'];
      /** @description Source layer of the listing. */
      extractionMethod?: string;
      /** @description Score of the listing. */
      confidence?: number;
      /** @description Model usage of the formats json and summary, and of passages with `rerank`. */
      llm?: components['schemas']['ModelUseView'];
    };
    ScrapedFile: {
      /**
       * Format: uri
       * @description URL after redirects.
       */
      url: string;
      ok: boolean;
      /** @description False: another kind of document, see `format`. */
      isPdf: boolean;
      /** @enum {string} */
      format?:
        | 'docx'
        | 'xlsx'
        | 'pptx'
        | 'odt'
        | 'ods'
        | 'odp'
        | 'epub'
        | 'rtf'
        | 'eml'
        | 'csv'
        | 'tsv'
        | 'md'
        | 'txt';
      markdown: string;
      text: string;
      /** @description Requested outputs by name, when `formats` was sent. */
      formats?: {
        passages?: components['schemas']['PassageView'][];
      } & {
        [key: string]: unknown;
      };
      /** @description Present if `maxTokens` cut it. */
      markdownCut?: components['schemas']['MarkdownCutView'];
      /** @description Of a PDF at most `llm`. */
      metadata?: components['schemas']['FileMetadataView'];
      /** @description Absent for a PDF, as are the next two. */
      statusCode?: number;
      cascade?: components['schemas']['CascadeView'];
      unblock?: components['schemas']['UnblockView'];
      /** @description Content was cut, or the model failed. */
      partial?: boolean;
      /** @description Reason if `partial`: an error class, or the limit that cut the page, such as `max_cpu` for CPU time. */
      partial_reason?: string;
    };
    ScrapeRequest: {
      /**
       * Format: uri
       * @description Page to fetch, http:// or https://.
       * @example https://example.com/
       */
      url: string;
      /**
       * @description Requested outputs, returned under `formats`; `{type: "passages", query, max}`: the passages that answer a question. Default: `["markdown"]`.
       * @example [
       *       "markdown",
       *       "links"
       *     ]
       */
      formats?:
        | (
            | (
                | 'markdown'
                | 'rawHtml'
                | 'links'
                | 'screenshot'
                | 'json'
                | 'branding'
                | 'product'
                | 'summary'
              )
            | {
                /** @enum {string} */
                type: 'passages';
                /** @description A question or words, in the language of the page. */
                query: string;
                /** @description Default: `5`. */
                max?: number | null;
                /** @description A model puts the best 20 in order; its cost is in `metadata.llm`. Only for POST /v1/scrape, where a model is configured. Default: `false`. */
                rerank?: boolean | null;
              }
          )[]
        | null;
      /** @description Cut the Markdown to so many tokens (encoding cl100k_base), between sentences, rows or lines of code; its last line and `markdownCut` say what is left out. */
      maxTokens?: number | null;
      /** @description Adds the page source as `html`. Default: `false`. */
      includeHtml?: boolean | null;
      /** @description Read the business listing of the page: name, address, phone and more. `false` makes the response for a small page much smaller. Default: `true`. */
      extractListing?: boolean | null;
      /** @description Adds `_provenance` to `listing`: the source of each field. Default: `false`. */
      listingProvenance?: boolean | null;
      /**
       * @description JSON Schema (2020-12): Schema of the format `json`. Without it: free-form data about the page.
       * @example {
       *       "type": "object",
       *       "properties": {
       *         "price": {
       *           "type": "number"
       *         }
       *       }
       *     }
       */
      schema?: {
        [key: string]: unknown;
      } | null;
      /**
       * @description JSON Schema (2020-12): Alias of `schema`.
       * @example {
       *       "type": "object",
       *       "properties": {
       *         "price": {
       *           "type": "number"
       *         }
       *       }
       *     }
       */
      jsonSchema?: {
        [key: string]: unknown;
      } | null;
      /**
       * @description Actions to run on the page in a browser, in order. The first failure ends the scrape with 422.
       * @example [
       *       {
       *         "type": "click",
       *         "selector": "#more"
       *       },
       *       {
       *         "type": "wait",
       *         "ms": 500
       *       }
       *     ]
       */
      actions?:
        | {
            /** @enum {string} */
            type: 'click' | 'scroll' | 'wait' | 'write' | 'press' | 'screenshot' | 'pdf';
            /** @description CSS selector of the element; required by click. */
            selector?: string | null;
            /** @description Text for `write`. It is typed into the element of `selector`, else into the focused field; an element without text input fails the scrape. */
            text?: string | null;
            /** @description Key for `press`, such as Enter or Control+A. */
            key?: string | null;
            /** @description wait: milliseconds. scroll: pixels, negative scrolls up. */
            ms?: number | null;
            /** @description Reserved. */
            script?: string | null;
          }[]
        | null;
      /** @description Keep only the main content: no menus, footers or banners. Default: `false`. */
      onlyMainContent?: boolean | null;
      /**
       * @description CSS selectors: keep only matching elements.
       * @example [
       *       "article"
       *     ]
       */
      includeTags?: string[] | null;
      /**
       * @description CSS selectors: remove matching elements; takes precedence over `includeTags`.
       * @example [
       *       "nav",
       *       ".ads"
       *     ]
       */
      excludeTags?: string[] | null;
      /** @description Remove the data of inline (data URI) images from the Markdown. Otherwise it is kept: up to 1 MB of an image, and 4 MB of a page. Default: `false`. */
      removeBase64Images?: boolean | null;
      /**
       * @description Addresses of links and images in the Markdown: `inlined` behind each, `referenced` by number in a list at its end, `omitted`: links and images are their text alone. Default: `"inlined"`.
       * @enum {string|null}
       */
      linkStyle?: 'inlined' | 'referenced' | 'omitted' | null;
      /** @description Start with the browser. Default: `false`. */
      forceHeadless?: boolean | null;
      /** @description Milliseconds to wait after load; more than 0 starts with the browser. Default: `0`. */
      waitFor?: number | null;
      /** @description Scroll to the end in a browser first, to load lazy content. A screenshot then shows the whole page. Default: `false`. */
      scroll?: boolean | null;
      /** @description In a browser, leave out advertising, analytics, chats and consent managers of third parties; not with a screenshot or actions, and not where a page is empty without them. Default: `true`. */
      blockAds?: boolean | null;
      /** @description Request Markdown from the site before HTML: a site that offers it answers with its own, which is returned as it is. Default: `false`. */
      preferMarkdown?: boolean | null;
      /**
       * @description Cookies for the site of `url`, like a Cookie header: name=value; name2=value2.
       * @example session=abc; theme=dark
       */
      cookies?: string | null;
      /** @description Name of one of your profiles (PUT /v1/profiles/:name): its cookies go to the hosts that they are for. Where the site asks for a login again, the page fails with `auth_expired`. Not with `cookies`. */
      profile?: string | null;
      /**
       * @description Request headers for the site of `url`; never sent to another site.
       * @example {
       *       "accept-language": "fr"
       *     }
       */
      headers?: {
        [key: string]: string;
      } | null;
      /** @description Ignore robots.txt. Default: `false`. */
      ignoreRobotsTxt?: boolean | null;
      /**
       * @description Your use of the page. If the site refuses it by Content-Signal, Content-Usage, TDMRep or RSL, the request fails with `content_use_refused`: before the page is requested, where files of the site say so. Not with `ignoreRobotsTxt`.
       * @enum {string|null}
       */
      respectUse?: 'search' | 'ai-input' | 'ai-train' | null;
      /** @description Accept a cached copy up to this age in milliseconds; 0: always fresh. Default: `0`. */
      maxAge?: number | null;
      /** @description Use only the cache, for a copy at least this many milliseconds old; 404 if there is none. */
      minAge?: number | null;
      /**
       * @description Location of the visitor: sets the preferred language, and uses a proxy there if one is configured.
       * @example {
       *       "country": "DE"
       *     }
       */
      location?: {
        country?: string;
      } | null;
      /** @description Maximum cost of paid fetch methods for this page in US dollars; 0: none is used. */
      costCeiling?: number | null;
    };
    MapRequest: {
      /**
       * Format: uri
       * @description Homepage, any page, sitemap, feed, OPML file or llms.txt of the site, http:// or https://.
       * @example https://example.com/
       */
      url: string;
      /** @description Maximum number of links to return; clamped to the plan's maximum. Default: `100`. */
      limit?: number | null;
      /**
       * @description Only URLs that contain this text, ignoring case.
       * @example pricing
       */
      search?: string | null;
      /**
       * @description Further lists of pages to read: the llms.txt of the site and of the folder of `url` (`llms.txt`), the feeds that the page at `url` names (`feeds`), for which that page is read, too.
       * @example [
       *       "llms.txt",
       *       "feeds"
       *     ]
       */
      sources?: ('llms.txt' | 'feeds')[] | null;
    };
    MapResult: {
      /**
       * Format: uri
       * @description The requested URL, normalized.
       */
      url: string;
      /** @description URLs of the site without duplicates, in the order of its sitemaps or pages; those of the sitemap or page at the requested URL come first. */
      links: string[];
      /** @description Number of `links`. */
      total: number;
      /**
       * @description The source of the links: sitemaps and other lists, the requested page and the homepage (`crawl`), or none. A search without a hit still names the source searched.
       * @enum {string}
       */
      source: 'sitemap' | 'crawl' | 'none';
      /**
       * @description The time limit was reached; `links` are those found by then.
       * @enum {boolean}
       */
      timedOut?: true;
      /** @description Limits that cut the result; absent if none did. `limit`: there are more links than requested. Limits of sitemaps: `bytes` (50 MB each, uncompressed), `urls` (50,000 each), `children` (15), `depth` (3 indexes above one another), `declared` (15 named by robots.txt), `loc_length` (2,048 characters), `nested_gzip`, `incomplete` (one broke off), `unread` (one could not be fetched, or is none). `link_bytes`: the addresses of one map pass 64 MB. */
      cuts?: string[];
    };
    ExtractedListing: {
      /** @description Only part of the content was read. */
      partial?: boolean;
      /** @description Reason if `partial`: an error class, or the limit that cut the page, such as `max_cpu` for CPU time. */
      partial_reason?: string;
      /** @description Null for content without a URL. */
      url: string | null;
      /** @description Null: the page shows no business. */
      data: components['schemas']['ListingView'] | null;
      /**
       * @description Why `data` is null.
       * @enum {string}
       */
      reason?: 'no_listing';
    };
    ExtractMetadataView: {
      /** @description Null if no model was used. */
      model: string | null;
      /** @description US dollars, by the price table. */
      costUsd: number;
      inputTokens: number;
      outputTokens: number;
      /** @description Fetch and extraction together, milliseconds. */
      latencyMs: number;
    };
    ExtractedData: {
      /** @description Only part of the content was read. */
      partial?: boolean;
      /** @description Reason if `partial`: an error class, or the limit that cut the page, such as `max_cpu` for CPU time. */
      partial_reason?: string;
      /** @description Null for content without a URL. */
      url: string | null;
      /** @description Data by `schema`; null for values that the content lacks. Null on a blank page. */
      data: Record<string, unknown> | unknown[] | string | number | boolean | null;
      /** @description The schema as sent. */
      schema: Record<string, unknown>;
      metadata: components['schemas']['ExtractMetadataView'];
      /** @description Quotes of the content that support each value, by JSON pointer into `data`. */
      _provenance: Record<string, unknown>;
    };
    ExtractItem: {
      /** @description Only part of the content was read. */
      partial?: boolean;
      /** @description Reason if `partial`: an error class, or the limit that cut the page, such as `max_cpu` for CPU time. */
      partial_reason?: string;
      /** @description The URL as sent. */
      url: string;
      ok: boolean;
      /** @description As without `urls`, when `ok`. */
      data?: Record<string, unknown> | unknown[] | string | number | boolean | null;
      /** @description When not `ok`. */
      error?: string;
      /**
       * @description Why `data` is null.
       * @enum {string}
       */
      reason?: 'no_listing';
      metadata?: components['schemas']['ExtractMetadataView'];
      _provenance?: Record<string, unknown>;
    };
    ExtractSummary: {
      total: number;
      ok: number;
      failed: number;
    };
    ExtractedMany: {
      results: components['schemas']['ExtractItem'][];
      summary: components['schemas']['ExtractSummary'];
    };
    ExtractRequest: {
      /**
       * Format: uri
       * @description Page to read; required unless `urls`, `html` or `markdown` is set. With `html` or `markdown`: base of relative URLs.
       * @example https://example.com/
       */
      url?: string | null;
      /** @description Pages to read, five at a time. The whole request is rejected if one URL is not fetchable. */
      urls?: string[] | null;
      /** @description Page source to read; nothing is fetched. */
      html?: string | null;
      /** @description Text to read; nothing is fetched. With `html` and `schema`, the model reads this text. */
      markdown?: string | null;
      /**
       * @description JSON Schema (2020-12): Schema of `data`. Without it: the business listing of the page, free.
       * @example {
       *       "type": "object",
       *       "properties": {
       *         "price": {
       *           "type": "number"
       *         }
       *       }
       *     }
       */
      schema?: {
        [key: string]: unknown;
      } | null;
      /**
       * @description high: a stronger model. Used with `schema`. Default: `"low"`.
       * @enum {string|null}
       */
      complexity?: 'low' | 'high' | null;
    };
    EnrichRequest: {
      /**
       * @description The company: a domain (`example.com`), or any URL of its site. A domain is fetched by https, then by http if that fails. Required, as `domain` or `url`.
       * @example example.com
       */
      domain?: string | null;
      /** @description Alias of `domain`. */
      url?: string | null;
      /** @description Find e-mail addresses. Default: `true`. */
      includeEmails?: boolean | null;
      /** @description Detect the technologies of the site. Default: `true`. */
      includeTech?: boolean | null;
      /** @description Find names of the team. Default: `true`. */
      includeTeam?: boolean | null;
      /** @description Also read the brand: logo, colors, fonts, industry. Default: `false`. */
      includeBrand?: boolean | null;
      /** @description Also render the homepage in a browser, and inspect its globals and the resources it loads. Default: `false`. */
      deepTech?: boolean | null;
      /** @description Let a model find team names in text without markup. No model is used on the free plan or if none is configured; see `_extraction_method`. Default: `false`. */
      useModel?: boolean | null;
      /** @description Accept a cached result of the same request up to this age in milliseconds; 0: always fresh. Default: `0`. */
      maxAge?: number | null;
      /** @description Maximum number of pages to read, including the homepage; more than 7 counts as 7. Default: `7`. */
      maxPages?: number | null;
    };
    SocialView: {
      /** Format: uri */
      linkedin?: string;
      /** Format: uri */
      twitter?: string;
      /** Format: uri */
      facebook?: string;
      /** Format: uri */
      instagram?: string;
      /** Format: uri */
      youtube?: string;
    };
    TechnologyView: {
      name: string;
      /** @example CMS */
      category: string;
      confidence: number;
      /** @description Position as the site states it. */
      version?: string;
    };
    TeamMemberView: {
      name: string;
      role?: string;
      /** @description From JSON-LD only. */
      email?: string;
    };
    HomepageView: {
      title?: string;
      description?: string;
      /** Format: uri */
      hero_image?: string;
    };
    BrandMetaView: {
      /** @description True if there are `reasons`, or if the brand could not be read. */
      partial: boolean;
      /** @description Parts that were not read. */
      reasons: (
        | 'stylesheet_budget'
        | 'stylesheet_count_cap'
        | 'stylesheet_byte_cap'
        | 'stylesheet_total_byte_cap'
        | 'stylesheet_timeout'
        | 'css_cap'
        | 'var_budget'
        | 'var_depth_cap'
        | 'css_value_cap'
        | 'button_scan_cap'
        | 'jsonld_node_cap'
      )[];
    };
    TechMetaView: {
      /** @description There are `reasons`. */
      partial: boolean;
      /** @description Parts that were not scanned. */
      reasons: (
        | 'time_budget'
        | 'html_cap'
        | 'tag_scan_cap'
        | 'value_cap'
        | 'item_cap'
        | 'inline_script_cap'
        | 'worker_terminated'
        | 'queue_timeout'
        | 'worker_error'
        | 'request_budget'
        | 'deep_budget'
        | 'request_cap'
        | 'render_failed'
        | 'tenant_cooldown'
      )[];
      /** @description Bytes of HTML read, over all pages. */
      scanned_bytes: number;
      /** @description Milliseconds of scanning, over all pages. */
      duration_ms: number;
      /** @description With `deepTech`: the sources matched. */
      sources?: ('html' | 'runtime' | 'network')[];
    };
    EnrichResult: {
      /**
       * @description Without protocol, `www.` and port.
       * @example example.com
       */
      domain: string;
      /** @description Without duplicates, shared platforms and no-reply addresses. */
      emails: string[];
      /** @description In US formats, as written on the site. */
      phones: string[];
      social: components['schemas']['SocialView'];
      /** @description By confidence (highest first), category, name, over all pages. */
      tech_stack: components['schemas']['TechnologyView'][];
      team: components['schemas']['TeamMemberView'][];
      /** @description URLs that redirect to the same page count once. */
      pages_crawled: number;
      homepage: components['schemas']['HomepageView'];
      /** @description With `includeBrand`: the brand profile, as POST /v1/brand returns it. */
      brand?: {
        [key: string]: unknown;
      };
      /** @description With `includeBrand`. */
      brand_meta?: components['schemas']['BrandMetaView'];
      /** @description With `includeTech`. */
      tech_meta?: components['schemas']['TechMetaView'];
      /** @description Share of the 8 signals that were found. */
      _completeness: number;
      /** @description The same as `_completeness`. */
      _confidence: number;
      /** @enum {string} */
      _extraction_method: 'deterministic' | 'deterministic+llm';
      /** @description Milliseconds. */
      _latency_ms: number;
      /** @description With `maxAge`: age of the cached result in milliseconds. */
      _cache_age_ms?: number;
    };
    EnrichWebsiteRequest: {
      /**
       * @description The company: a domain (`example.com`), or any URL of its site. A domain is fetched by https, then by http if that fails. Required, as `domain` or `url`.
       * @example example.com
       */
      domain?: string | null;
      /** @description Alias of `domain`. */
      url?: string | null;
      /** @description Find e-mail addresses. Default: `true`. */
      includeEmails?: boolean | null;
      /** @description Detect the technologies of the site. Default: `true`. */
      includeTech?: boolean | null;
      /** @description Find names of the team. Default: `true`. */
      includeTeam?: boolean | null;
      /** @description Also read the brand: logo, colors, fonts, industry. Default: `false`. */
      includeBrand?: boolean | null;
      /** @description Also render the homepage in a browser, and inspect its globals and the resources it loads. Default: `false`. */
      deepTech?: boolean | null;
      /** @description Let a model find team names in text without markup. No model is used on the free plan or if none is configured; see `_extraction_method`. Default: `false`. */
      useModel?: boolean | null;
      /** @description Accept a cached result of the same request up to this age in milliseconds; 0: always fresh. Default: `0`. */
      maxAge?: number | null;
      /** @description Maximum number of pages to read: the homepage and the most informative pages it links to. More than 20 counts as 20. Default: `10`. */
      maxPages?: number | null;
    };
    BrandRequest: {
      /**
       * @description The company: a domain (`example.com`), or any URL of its site. A domain is fetched by https, then by http if that fails. Required, as `domain` or `url`.
       * @example example.com
       */
      domain?: string | null;
      /** @description Alias of `domain`. */
      url?: string | null;
    };
    BrandColorView: {
      /** @example #0d6efd */
      hex: string;
      /**
       * @example [
       *       13,
       *       110,
       *       253
       *     ]
       */
      rgb: number[];
      /** @description Weight of the color on the page: its uses by role (buttons, links, header and theme color count most); greys count a tenth. */
      frequency: number;
    };
    IndustryView: {
      /**
       * @description NAICS 2022 code.
       * @example 722511
       */
      naics: string;
      /** @example Full-Service Restaurants */
      title: string;
      confidence: number;
    };
    BrandResult: {
      /**
       * @description Without protocol, `www.` and port.
       * @example example.com
       */
      domain: string;
      name?: string;
      description?: string;
      /** Format: uri */
      logo?: string;
      /** Format: uri */
      favicon?: string;
      /** @description By `frequency`, highest first. */
      colors: components['schemas']['BrandColorView'][];
      /** @description Font families of the page's text, most used first. System fonts and icon fonts are excluded. */
      fonts: string[];
      socials: components['schemas']['SocialView'];
      /** @description Absent unless one is clearly ahead. */
      industry?: components['schemas']['IndustryView'];
      /** @description 0.4, and 0.12 for each of logo, colors, fonts, socials and industry. */
      _confidence: number;
      /** @description The source URL of each resolved field, by field name. */
      _provenance: {
        [key: string]: string;
      };
      /**
       * Format: date-time
       * @description When the site was read.
       */
      _freshness: string;
      brand_meta: components['schemas']['BrandMetaView'];
    };
    ResolveRequest: {
      /**
       * @description The strongest key: a domain (`example.com`) or any URL of the company. A company that is not known yet is read from this site.
       * @example example.com
       */
      domain?: string | null;
      /** @description Counts as its domain, unless that is the domain of a mailbox provider. */
      email?: string | null;
      /** @description Best with `state` or `zip`. */
      name?: string | null;
      /**
       * @description Two letters.
       * @example TX
       */
      state?: string | null;
      /** @description Postal code. */
      zip?: string | null;
      /** @description A further key: phone number with country code; without one that of the US. */
      phone?: string | null;
      /** @description A further key: Unique Entity ID of SAM.gov. */
      uei?: string | null;
      /** @description A further key: license number, of `state`. */
      license?: string | null;
    };
    CompanyIndustryView: {
      /** @description NAICS 2022 code. */
      naics: string;
      title: string;
    };
    CompanyLocationView: {
      city: string | null;
      state: string | null;
      zip: string | null;
      /** @description ISO 3166-1 alpha-2. */
      country: string | null;
    };
    ResolveResult: {
      /** @description False: see `error`. */
      resolved: boolean;
      /** @description Why there is no company; the other fields are absent then. */
      error?: string;
      domain?: string | null;
      name?: string | null;
      description?: string | null;
      /** Format: uri */
      logo?: string | null;
      industry?: components['schemas']['CompanyIndustryView'] | null;
      socials?: components['schemas']['SocialView'];
      tech_stack?: string[];
      location?: components['schemas']['CompanyLocationView'] | null;
      /** @description E.164. */
      phone?: string | null;
      /** @description Of a desk, such as info@. */
      email?: string | null;
      /** @example 11-50 */
      employee_band?: string | null;
      /** @example 1M-10M */
      revenue_band?: string | null;
      /** @description The key that found it in the graph (`domain`, `uei`, `license`, `phone`, `name`, `name+state`, `name+zip`, `name+state+zip`), or `live`: its site was read. */
      _resolved_by?: string;
      /** @description By `_resolved_by`: 0.9 for domain, UEI and license, 0.85 for phone, 0.7 for names; live 0.4, and 0.06 for each of name, logo, industry, socials, technologies, location, phone and e-mail. */
      _confidence?: number;
      /**
       * Format: date-time
       * @description When its site was last read for a record, or an import listed it.
       */
      _freshness?: string;
      /** @description Sources that were fused. */
      _source_count?: number;
    };
    GraphQueryRequest: {
      /**
       * @description Technologies that a business uses, all of them; at most 25. Case does not matter.
       * @example [
       *       "WordPress"
       *     ]
       */
      tech?: (string | string[]) | null;
      /** @description Technologies of which a business uses at least one; at most 25. */
      techAny?: string[] | null;
      /** @description Technologies that a business does not use; at most 25. */
      notTech?: string[] | null;
      /** @description Words of the NAICS title (`dentists`), all of them, or two to six leading digits of the NAICS code. */
      industry?: string | null;
      /**
       * @description Two letters.
       * @example TX
       */
      state?: string | null;
      /** @description Case and accents do not matter. */
      city?: string | null;
      /** @description Only businesses with a website, or only those without. */
      hasDomain?: boolean | null;
      /** @description Businesses per page; more than 200 count as 200. Default: `50`. */
      limit?: number | null;
      /** @description `cursor` of the page before. */
      cursor?: string | null;
    };
    GraphRowView: {
      /** @description For GET /v1/graph/business/{idOrDomain}. */
      id: string;
      domain: string | null;
      name: string | null;
      /** @description NAICS 2022 title. */
      industry: string | null;
      /** @description NAICS 2022 code. */
      naics: string | null;
      tech_stack: string[];
      city: string | null;
      state: string | null;
      /** @example 11-50 */
      employee_band: string | null;
      /**
       * Format: date-time
       * @description When its newest fact was seen.
       */
      _freshness: string;
    };
    GraphCriteriaView: {
      tech?: string[];
      techAny?: string[];
      notTech?: string[];
      industry?: string;
      state?: string;
      city?: string;
      hasDomain?: boolean;
      limit: number;
    };
    GraphQueryResult: {
      /** @description Businesses that meet the criteria, on all pages. Exact up to 10,000. */
      count: number;
      /** @description True if `count` is an estimate: there are more than 10,000. */
      count_estimated?: boolean;
      results: components['schemas']['GraphRowView'][];
      /** @description For the next page; absent on the last one. */
      cursor?: string;
      criteria: components['schemas']['GraphCriteriaView'];
    };
    GraphBusinessView: {
      /** @description For GET /v1/graph/business/{idOrDomain}. */
      id: string;
      domain: string | null;
      name: string | null;
      /** @description NAICS 2022 title. */
      industry: string | null;
      /** @description NAICS 2022 code. */
      naics: string | null;
      tech_stack: string[];
      city: string | null;
      state: string | null;
      /** @example 11-50 */
      employee_band: string | null;
      /**
       * Format: date-time
       * @description When its newest fact was seen.
       */
      _freshness: string;
      /** @description What the site says about the company, without contact data. */
      marketing_summary: string | null;
      /** @description Number of facts that the graph has. */
      signal_count: number;
    };
    ParseRequest: {
      /**
       * Format: uri
       * @description URL of a file. A document file: PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, EPUB, RTF, EML, CSV, TSV, Markdown or plain text.
       * @example https://example.com/report.pdf
       */
      url: string;
      /**
       * @description rag: adds `chunks` for an embedding index. Markdown and text are always included. Default: `"markdown"`.
       * @enum {string|null}
       */
      format?: 'markdown' | 'text' | 'rag' | null;
      /** @description Of a PDF: adds `page_list`, the Markdown of each page by itself. Default: `false`. */
      pages?: boolean | null;
      /** @description Of a PDF: `page_list` with the blocks of each page (`sources`) and their boxes, to show where a text stands. Default: `false`. */
      sources?: boolean | null;
      /** @description Of a PDF: a comment before each page in `markdown` names it, as `<!-- page 2 -->`. Default: `false`. */
      pageMarkers?: boolean | null;
      /** @description Cut the Markdown to so many tokens (encoding cl100k_base), between sentences, rows or lines of code; its last line and `markdownCut` say what is left out. */
      maxTokens?: number | null;
    };
    ParseUpload: {
      /**
       * Format: binary
       * @description A document file: PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, EPUB, RTF, EML, CSV, TSV, Markdown or plain text.
       */
      file: string;
      /**
       * @description rag: adds `chunks` for an embedding index. Markdown and text are always included. Default: `"markdown"`.
       * @enum {string}
       */
      format?: 'markdown' | 'text' | 'rag';
      /** @description Of a PDF: adds `page_list`, the Markdown of each page by itself. Default: `false`. */
      pages?: boolean;
      /** @description Of a PDF: `page_list` with the blocks of each page (`sources`) and their boxes, to show where a text stands. Default: `false`. */
      sources?: boolean;
      /** @description Of a PDF: a comment before each page in `markdown` names it, as `<!-- page 2 -->`. Default: `false`. */
      pageMarkers?: boolean;
      /** @description Cut the Markdown to so many tokens (encoding cl100k_base), between sentences, rows or lines of code; its last line and `markdownCut` say what is left out. */
      maxTokens?: number;
    };
    FileSourceView: {
      /**
       * @description Running: a header, a footer or a page number.
       * @enum {string}
       */
      kind: 'heading' | 'paragraph' | 'item' | 'table' | 'code' | 'running';
      /** @description Cells are parted by tabs. */
      text: string;
      /** @description Left, top, right and bottom, in points from the upper left of the page. Absent for text askew. */
      box?: number[];
    };
    FilePageView: {
      /** @description From 1. */
      page: number;
      markdown: string;
      /** @description In points (1/72 inch). */
      width: number;
      /** @description In points. */
      height: number;
      /** @description With `sources`, in reading order. */
      sources?: components['schemas']['FileSourceView'][];
    };
    ChunkView: {
      /** @description The same document gets the same ids. */
      id: string;
      index: number;
      /** @description Markdown. */
      text: string;
      /** @description Titles of its sections, outermost first. */
      headings: string[];
      tokens: number;
      /** @description SHA-256 of `text`, hexadecimal. */
      contentHash: string;
      /** @description Of a PDF: the first and the last page that it has text of, from 1. */
      pages?: number[];
    };
    ParseResult: {
      ok: boolean;
      markdown: string;
      text: string;
      /**
       * @description Detected from the content. Of text that does not say what it is, the declared type or the name counts.
       * @enum {string}
       */
      format:
        | 'pdf'
        | 'docx'
        | 'xlsx'
        | 'pptx'
        | 'odt'
        | 'ods'
        | 'odp'
        | 'epub'
        | 'rtf'
        | 'eml'
        | 'csv'
        | 'tsv'
        | 'md'
        | 'txt';
      /** @description PDF only. */
      pages?: number;
      /** @description With `pages` or `sources`: those that were read. */
      page_list?: components['schemas']['FilePageView'][];
      /** @description With `format` rag. */
      chunks?: components['schemas']['ChunkView'][];
      /** @description Present if `maxTokens` cut it. */
      markdownCut?: components['schemas']['MarkdownCutView'];
      /** @description A vision model read the text from images of the pages. */
      scanned?: boolean;
      /** @description Part of the content was cut. */
      partial?: boolean;
      /** @description What, when `partial`. */
      partial_reason?: string;
    };
    ScreenshotRequest: {
      /**
       * Format: uri
       * @description Page to capture, http:// or https://.
       * @example https://example.com/
       */
      url: string;
      /** @description Capture the whole page, not only the viewport. Default: `true`. */
      fullPage?: boolean | null;
      /** @description Width of the viewport in CSS pixels: 1280 by default, 390 with `mobile`. At most 1280 with `mobile`. */
      width?: number | null;
      /** @description Scroll through the page before the whole of it or an element is captured, so that what appears on scrolling is there. At most 20 screens and 8 seconds. Default: `true`. */
      scroll?: boolean | null;
      /** @description Emulate a phone: viewport, touch, user agent. Default: `false`. */
      mobile?: boolean | null;
      /** @description Milliseconds to wait after the DOM content was loaded. Default: `1000`. */
      waitFor?: number | null;
      /**
       * @description JSON array text of cookie objects with name, value, domain.
       * @example [{"name":"session","value":"abc","domain":"example.com"}]
       */
      cookies?: string | null;
      /**
       * @description CSS selector: capture only the first matching element.
       * @example main
       */
      element?: string | null;
      /**
       * @description Format of the image. Default: `"png"`.
       * @enum {string|null}
       */
      format?: 'png' | 'jpeg' | null;
    };
    ScreenshotResult: {
      /**
       * Format: uri
       * @description URL after redirects.
       */
      url: string;
      /** @description Status of the site: the picture may be that of an error page. */
      statusCode?: number;
      /** @description Width of the image in pixels: that of the viewport; with `mobile`, more than two pixels per CSS pixel. */
      width: number;
      /** @description Height of the image in pixels. */
      height: number;
      /** @description True if the page exceeds the maximum image height: its lower part is missing. */
      clipped?: boolean;
      /** @enum {string} */
      format: 'png' | 'jpeg';
      latencyMs: number;
      /** @description Screenshots per day on this plan. */
      dailyLimit: number;
      /** @description Signed URL, if object storage is configured. */
      imageUrl?: string;
      /** @description The image, otherwise. */
      base64?: string;
    };
    SearchRequest: {
      /**
       * @description The query. Operators such as `site:` and `filetype:` pass through.
       * @example postgresql row level security
       */
      query: string;
      /** @description Maximum number of results; clamped to the plan's maximum. Default: `10`. */
      limit?: number | null;
      /** @description Scrape each result to Markdown. Only the search is charged. A page that fails has `markdown: null`. Default: `false`. */
      scrapeResults?: boolean | null;
      /**
       * @description Country that results are for, a two-letter code (ISO 3166-1); `us` without it.
       * @example us
       */
      country?: string | null;
      /** @description Add `answer`: a few sentences of a model that cite the top 5 results as [n]. It is left out when the model is unavailable, or nothing it says is supported by what it cites. Default: `false`. */
      include_answer?: boolean | null;
      /**
       * @description Only results of these hosts and their subdomains: domains or URLs, of which the host counts.
       * @example [
       *       "postgresql.org"
       *     ]
       */
      includeDomains?: string[] | null;
      /** @description No results of these hosts and their subdomains. */
      excludeDomains?: string[] | null;
      /**
       * @description Kinds of results: `github`, `research` (sites of preprints and scholarly articles), `pdf`. Several are alternatives.
       * @example [
       *       "pdf"
       *     ]
       */
      categories?: (('github' | 'research' | 'pdf') | ('github' | 'research' | 'pdf')[]) | null;
      /** @description Media to search. Accepted and echoed; `news` and `images` search the web, too. */
      sources?: (('web' | 'news' | 'images') | ('web' | 'news' | 'images')[]) | null;
      /**
       * @description Age of results: at most a day, week, month or year.
       * @enum {string|null}
       */
      tbs?: 'qdr:d' | 'qdr:w' | 'qdr:m' | 'qdr:y' | null;
      /** @description For `scrapeResults`: pages of the cache that are younger than this are used, in milliseconds. 0: pages are always fetched. Default: `0`. */
      maxAge?: number | null;
      /** @description For `scrapeResults`: cut the Markdown of each page to so many tokens; see `maxTokens` of POST /v1/scrape. */
      maxTokens?: number | null;
    };
    SearchResultItem: {
      /**
       * Format: uri
       * @description Without tracking parameters.
       */
      url: string;
      /** @description Empty if the search engine shows none. */
      title: string;
      /** @description Empty if the search engine shows none. */
      snippet: string;
      /** @description Place among the results, from 1. */
      position: number;
      /** @description The page, with `scrapeResults`; null if it could not be scraped in time, or the pages of one response pass 8 MB. */
      markdown: string | null;
      /** @description Present if `maxTokens` cut it. */
      markdownCut?: components['schemas']['MarkdownCutView'];
    };
    AppliedSearch: {
      /** @description The query as the search engine got it. */
      effectiveQuery: string;
      categories?: ('github' | 'research' | 'pdf')[];
      /** @description As sent. Only the web is searched. */
      sources?: ('web' | 'news' | 'images')[];
      /** @enum {string} */
      tbs?: 'qdr:d' | 'qdr:w' | 'qdr:m' | 'qdr:y';
      /** @description Bare hosts. */
      includeDomains?: string[];
      /** @description Bare hosts. */
      excludeDomains?: string[];
    };
    SearchResult: {
      /** @description As sent. */
      query: string;
      results: components['schemas']['SearchResultItem'][];
      /**
       * @description The backend whose results these are; without results the first one that completed.
       * @enum {string}
       */
      source: 'serp_provider' | 'html_provider_1' | 'html_provider_2';
      /** @description Number of `results`. */
      total: number;
      /**
       * @description Nothing was found.
       * @enum {string}
       */
      error?: 'no_results';
      /** @description With `include_answer`. Every sentence ends with the positions of the results that support it, such as [2]. */
      answer?: string;
      /** @description What was searched for. */
      search: components['schemas']['AppliedSearch'];
    };
    MapsScraperRequest: {
      /**
       * @description Kind of business, or a name.
       * @example dentists
       */
      query: string;
      /**
       * @description Town or region, as sources write it.
       * @example Austin, TX
       */
      location?: string | null;
      /** @description Maximum number of rows. Default: `5`. */
      maxResults?: number | null;
    };
    MapsRowView: {
      name: string;
      address?: string;
      phone?: string;
      /** @description Only where the source states one. */
      rating?: number;
      review_count?: number;
      category?: string;
      /** @description Only where the source states them: `mon` to `sun`, such as `09:00-17:00`. */
      hours?: {
        [key: string]: string;
      };
      /** Format: uri */
      website?: string;
      /**
       * Format: uri
       * @description The source's page about the business.
       */
      maps_url?: string;
      /**
       * @description A sample row: no real business.
       * @enum {boolean}
       */
      mock?: true;
    };
    MapsScraperResult: {
      /** @description Number of `results`. */
      total: number;
      /** @description As sent. */
      query: string;
      /** @description As sent. */
      location: string | null;
      /**
       * @description The operator's name of the source whose rows these are; `mock` for sample rows.
       * @example openstreetmap
       */
      source: string;
      /** @description Credit that the licence of the data requires. */
      attribution?: string;
      results: components['schemas']['MapsRowView'][];
      /**
       * @description Sample rows that name no real business: on the Free plan, until the operator enables the live scraper for the account. They are free.
       * @enum {boolean}
       */
      mock?: true;
    };
    LocatedScraperRequest: {
      /**
       * @description Kind of business, or a name.
       * @example dentists
       */
      query: string;
      /** @description Maximum number of rows. Default: `5`. */
      maxResults?: number | null;
      /**
       * @description Town or region, as sources write it.
       * @example Austin, TX
       */
      location: string;
    };
    ReviewsRowView: {
      name: string;
      address?: string;
      phone?: string;
      /** @description Only where the source states one. */
      rating?: number;
      review_count?: number;
      /** @example $$ */
      price_range?: string;
      categories?: string[];
      /** @description Only where the source states it. */
      is_open_now?: boolean;
      /**
       * Format: uri
       * @description The source's page about the business.
       */
      reviews_url?: string;
    };
    ReviewsScraperResult: {
      /** @description Number of `results`. */
      total: number;
      /** @description As sent. */
      query: string;
      /** @description As sent. */
      location: string | null;
      /**
       * @description The operator's name of the source whose rows these are; `mock` for sample rows.
       * @example openstreetmap
       */
      source: string;
      /** @description Credit that the licence of the data requires. */
      attribution?: string;
      results: components['schemas']['ReviewsRowView'][];
    };
    ListingsRowView: {
      name: string;
      address?: string;
      phone?: string;
      /** @description Only where the source states one. */
      rating?: number;
      review_count?: number;
      category?: string;
      /** Format: uri */
      website?: string;
      /**
       * Format: uri
       * @description The source's page about the business.
       */
      directory_url?: string;
    };
    ListingsScraperResult: {
      /** @description Number of `results`. */
      total: number;
      /** @description As sent. */
      query: string;
      /** @description As sent. */
      location: string | null;
      /**
       * @description The operator's name of the source whose rows these are; `mock` for sample rows.
       * @example openstreetmap
       */
      source: string;
      /** @description Credit that the licence of the data requires. */
      attribution?: string;
      results: components['schemas']['ListingsRowView'][];
    };
    DirectoryRequest: {
      /**
       * @description Pages of listings, http:// or https://. A URL listed twice is fetched and charged once; an invalid one fails alone.
       * @example [
       *       "https://example.com/",
       *       "https://example.org/"
       *     ]
       */
      urls: string[];
      /** @description Pages fetched at a time, at most as many as the plan has batch workers. Default: `3`. */
      concurrency?: number | null;
      /** @description Return 202 at once and process the list as a job. A list that does not fit the time of one response becomes a job anyway. Default: `false`. */
      async?: boolean | null;
    };
    DirectoryRow: {
      /** @description As sent. */
      url: string;
      ok: boolean;
      /** @description When `ok`; see POST /v1/extract. */
      listing?: {
        [key: string]: unknown;
      };
      /** @description Why the page has no listing. */
      error?: string;
    };
    DirectoryResult: {
      /** @description One per entry of `urls`, in its order. */
      results: components['schemas']['DirectoryRow'][];
      total: number;
      succeeded: number;
      failed: number;
    };
    BatchAccepted: {
      /** Format: uuid */
      jobId: string;
      /** @enum {string} */
      status: 'queued';
      /**
       * Format: uri
       * @description The first of `urls`; represents the job in lists.
       */
      url: string;
      /** @description Entries of `urls`. */
      total: number;
      /** @description Pages of the job: `total` without duplicates. */
      pages: number;
      message: string;
    };
    ConnectorView: {
      /** @example maps */
      id: string;
      title: string;
      description: string;
      /** @description JSON Schema of the parameters. */
      params: {
        [key: string]: unknown;
      };
      /** @description JSON Schema of a row. */
      schema: {
        [key: string]: unknown;
      };
      /** @description List price of a row. */
      pricePerRecordUsd: number;
      /** @description Credits of each begun group of rows. */
      credits: number;
      /** @description Rows of a group. */
      rowsPerCharge: number;
      /** @description False: the plan of the account does not have it. */
      available: boolean;
    };
    ConnectorCatalog: {
      connectors: components['schemas']['ConnectorView'][];
    };
    PreviewRequest: {
      /**
       * @description A connector of GET /v1/connectors.
       * @example maps
       */
      connectorId: string;
      /**
       * @description A request in words, such as `dentists in Austin`, or the `query` of the connector. Leave it out if `params` has everything.
       * @example dentists in Austin, TX
       */
      query?: string | null;
      /** @description Parameters by the schema of the connector; they win over `query`. */
      params?: {
        [key: string]: unknown;
      } | null;
      /** @description Most rows of the pull; clamped by the plan. Default: `50`. */
      maxResults?: number | null;
    };
    PreviewResult: {
      connectorId: string;
      /** @description The parameters that a pull runs with. */
      params: {
        [key: string]: unknown;
      };
      /** @description Rows that a pull would have, `maxResults` at most; a guess where only the first page is known. */
      estimatedRows: number;
      /** @description Price of that many rows at the list price of the connector. */
      estimatedCostUsd: number;
      /** @description Credits of that many rows. */
      estimatedCredits: number;
      /** @description What the preview cost the operator of the service. */
      cogsUsd: number;
      /** @description The first rows, five at most. */
      sample: {
        [key: string]: unknown;
      }[];
      /**
       * Format: uuid
       * @description For POST /v1/pull, once.
       */
      jobId: string;
      /**
       * Format: date-time
       * @description The preview can be pulled until then.
       */
      expiresAt: string;
      /**
       * @description Sample rows that name nothing real; free.
       * @enum {boolean}
       */
      mock?: true;
    };
    PullRequest: {
      /**
       * @description The `jobId` of a preview.
       * @example 0192f7a5-4c1e-7b1d-9c55-8e1f6f0f3a10
       */
      jobId: string;
      /** @description Most rows; those of the preview at most. */
      maxResults?: number | null;
    };
    PullResult: {
      /** Format: uuid */
      jobId: string;
      connectorId: string;
      params: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'previewed' | 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
      /** @description Rows so far. */
      total: number;
      /** @description Most rows. */
      maxResults: number;
      /** @description Charged so far. */
      creditsUsed: number;
      /** @description Why it failed; its rows stay. */
      error: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
      /**
       * Format: date-time
       * @description Preview: can be pulled until then. Pull: rows are kept until then.
       */
      expiresAt: string;
      /** @description Of a pull that ended while the request waited. */
      rows?: {
        [key: string]: unknown;
      }[];
      /** @description The same rows as CSV (RFC 4180). */
      csv?: string;
      /** @description Of a pull that still runs: where to read it. */
      message?: string;
    };
    PullView: {
      /** Format: uuid */
      jobId: string;
      connectorId: string;
      params: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: 'previewed' | 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
      /** @description Rows so far. */
      total: number;
      /** @description Most rows. */
      maxResults: number;
      /** @description Charged so far. */
      creditsUsed: number;
      /** @description Why it failed; its rows stay. */
      error: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      completedAt: string | null;
      /**
       * Format: date-time
       * @description Preview: can be pulled until then. Pull: rows are kept until then.
       */
      expiresAt: string;
    };
    PullCancelled: {
      /** Format: uuid */
      jobId: string;
      /** @enum {string} */
      status: 'previewed' | 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
      cancelled: boolean;
    };
    PullRowsPage: {
      /** Format: uuid */
      jobId: string;
      /** @enum {string} */
      status: 'previewed' | 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
      rows: {
        [key: string]: unknown;
      }[];
      /** @description Cursor of the next page; null if there is none yet. */
      next: string | null;
    };
    ChatMessage: {
      /**
       * @description A request in words.
       * @example dentists in Austin, TX with a website
       */
      message: string;
      /** @description Of an earlier response: the message may change its request. */
      conversationId?: string | null;
    };
    ChatIntent: {
      /** @description The connector; null: none suits. */
      connectorId: string | null;
      /**
       * @description Who understood the message.
       * @enum {string}
       */
      by: 'rules' | 'model';
      confidence: number;
    };
    ChatResult: {
      /**
       * @description `new`: a new request; `refine`: a change of the conversation’s request; `help`: the message was not understood, and nothing ran.
       * @enum {string}
       */
      kind: 'new' | 'refine' | 'help';
      /** @description For follow-ups, for a day. */
      conversationId: string | null;
      intent: components['schemas']['ChatIntent'];
      connectorId?: string;
      params?: {
        [key: string]: unknown;
      };
      preview?: components['schemas']['PreviewResult'];
      /**
       * Format: uuid
       * @description For POST /v1/pull. A chat never pulls.
       */
      jobId?: string;
      /** @description For people: what was understood, or what the chat can do. */
      message: string;
    };
    FeedRequest: {
      /**
       * @description A connector of GET /v1/connectors.
       * @example sitemap_urls
       */
      connectorId: string;
      /** @description Parameters by the schema of the connector. */
      params?: {
        [key: string]: unknown;
      } | null;
      /**
       * @description Cron expression of five fields: minute, hour, day, month, day of the week.
       * @example 0 7 * * *
       */
      schedule: string;
      /**
       * @description IANA time zone of the schedule; without it, UTC.
       * @example Europe/Berlin
       */
      timeZone?: string | null;
      /**
       * Format: uri
       * @description Receives new rows, signed. Without it, read the feed as a file.
       */
      webhookUrl?: string | null;
      /**
       * @description full: the first run delivers all of its rows; silent: it only notes them, so that later runs deliver those that are new. Default: `"silent"`.
       * @enum {string|null}
       */
      firstRun?: 'silent' | 'full' | null;
      /** @description Whether rows whose fields changed are delivered too, with the difference. Default: `false`. */
      changed?: boolean | null;
      /** @description Most rows of a run; clamped by the plan. Default: `100`. */
      maxResults?: number | null;
    };
    FeedAddresses: {
      /**
       * Format: uri
       * @description RSS 2.0.
       */
      rss: string;
      /**
       * Format: uri
       * @description Atom (RFC 4287).
       */
      atom: string;
      /**
       * Format: uri
       * @description JSON Feed 1.1.
       */
      json: string;
    };
    FeedView: {
      /** Format: uuid */
      feedId: string;
      connectorId: string;
      params: {
        [key: string]: unknown;
      };
      schedule: string;
      timeZone: string;
      /** Format: uri */
      webhookUrl: string | null;
      /** @enum {string} */
      firstRun: 'silent' | 'full';
      changed: boolean;
      /** @description Most rows of a run. */
      maxResults: number;
      /** @enum {string} */
      status: 'active' | 'paused';
      /** @description Why the feed paused itself. */
      pausedReason: string | null;
      /** @description Failed runs since the last complete one. */
      failures: number;
      /** @description Whether a run is in progress. */
      running: boolean;
      /** @description Rows that it knows. */
      total: number;
      /** Format: date-time */
      nextRunAt: string | null;
      /** Format: date-time */
      lastRunAt: string | null;
      /** Format: date-time */
      createdAt: string;
      addresses: components['schemas']['FeedAddresses'];
    };
    FeedList: {
      /** @description Newest first. */
      feeds: components['schemas']['FeedView'][];
    };
    FeedRunView: {
      /** Format: uuid */
      runId: string;
      /**
       * Format: date-time
       * @description When it was due.
       */
      tick: string;
      /** @enum {string} */
      startedBy: 'schedule' | 'request';
      /** @enum {string} */
      status: 'running' | 'completed' | 'failed';
      newRows: number;
      changedRows: number;
      /** @description Rows that were known before, or only noted by a silent first run. */
      knownRows: number;
      creditsUsed: number;
      /** @description Why it failed; its rows stay. */
      error: string | null;
      /** Format: date-time */
      startedAt: string;
      /** Format: date-time */
      endedAt: string | null;
    };
    FeedRunList: {
      /** @description The newest 100, newest first. */
      runs: components['schemas']['FeedRunView'][];
    };
    FeedDeleted: {
      /** Format: uuid */
      feedId: string;
      /** @enum {boolean} */
      deleted: true;
    };
    BatchRequest: {
      /**
       * @description Requested outputs, returned under `formats`; `{type: "passages", query, max}`: the passages that answer a question. Default: `["markdown"]`.
       * @example [
       *       "markdown",
       *       "links"
       *     ]
       */
      formats?:
        | (
            | (
                | 'markdown'
                | 'rawHtml'
                | 'links'
                | 'screenshot'
                | 'json'
                | 'branding'
                | 'product'
                | 'summary'
              )
            | {
                /** @enum {string} */
                type: 'passages';
                /** @description A question or words, in the language of the page. */
                query: string;
                /** @description Default: `5`. */
                max?: number | null;
                /** @description A model puts the best 20 in order; its cost is in `metadata.llm`. Only for POST /v1/scrape, where a model is configured. Default: `false`. */
                rerank?: boolean | null;
              }
          )[]
        | null;
      /** @description Cut the Markdown to so many tokens (encoding cl100k_base), between sentences, rows or lines of code; its last line and `markdownCut` say what is left out. */
      maxTokens?: number | null;
      /** @description Adds the page source as `html`. Default: `false`. */
      includeHtml?: boolean | null;
      /** @description Read the business listing of the page: name, address, phone and more. `false` makes the response for a small page much smaller. Default: `true`. */
      extractListing?: boolean | null;
      /** @description Adds `_provenance` to `listing`: the source of each field. Default: `false`. */
      listingProvenance?: boolean | null;
      /**
       * @description JSON Schema (2020-12): Schema of the format `json`. Without it: free-form data about the page.
       * @example {
       *       "type": "object",
       *       "properties": {
       *         "price": {
       *           "type": "number"
       *         }
       *       }
       *     }
       */
      schema?: {
        [key: string]: unknown;
      } | null;
      /**
       * @description JSON Schema (2020-12): Alias of `schema`.
       * @example {
       *       "type": "object",
       *       "properties": {
       *         "price": {
       *           "type": "number"
       *         }
       *       }
       *     }
       */
      jsonSchema?: {
        [key: string]: unknown;
      } | null;
      /**
       * @description Actions to run on the page in a browser, in order. The first failure ends the scrape with 422.
       * @example [
       *       {
       *         "type": "click",
       *         "selector": "#more"
       *       },
       *       {
       *         "type": "wait",
       *         "ms": 500
       *       }
       *     ]
       */
      actions?:
        | {
            /** @enum {string} */
            type: 'click' | 'scroll' | 'wait' | 'write' | 'press' | 'screenshot' | 'pdf';
            /** @description CSS selector of the element; required by click. */
            selector?: string | null;
            /** @description Text for `write`. It is typed into the element of `selector`, else into the focused field; an element without text input fails the scrape. */
            text?: string | null;
            /** @description Key for `press`, such as Enter or Control+A. */
            key?: string | null;
            /** @description wait: milliseconds. scroll: pixels, negative scrolls up. */
            ms?: number | null;
            /** @description Reserved. */
            script?: string | null;
          }[]
        | null;
      /** @description Keep only the main content: no menus, footers or banners. Default: `false`. */
      onlyMainContent?: boolean | null;
      /**
       * @description CSS selectors: keep only matching elements.
       * @example [
       *       "article"
       *     ]
       */
      includeTags?: string[] | null;
      /**
       * @description CSS selectors: remove matching elements; takes precedence over `includeTags`.
       * @example [
       *       "nav",
       *       ".ads"
       *     ]
       */
      excludeTags?: string[] | null;
      /** @description Remove the data of inline (data URI) images from the Markdown. Otherwise it is kept: up to 1 MB of an image, and 4 MB of a page. Default: `false`. */
      removeBase64Images?: boolean | null;
      /**
       * @description Addresses of links and images in the Markdown: `inlined` behind each, `referenced` by number in a list at its end, `omitted`: links and images are their text alone. Default: `"inlined"`.
       * @enum {string|null}
       */
      linkStyle?: 'inlined' | 'referenced' | 'omitted' | null;
      /** @description Start with the browser. Default: `false`. */
      forceHeadless?: boolean | null;
      /** @description Milliseconds to wait after load; more than 0 starts with the browser. Default: `0`. */
      waitFor?: number | null;
      /** @description Scroll to the end in a browser first, to load lazy content. A screenshot then shows the whole page. Default: `false`. */
      scroll?: boolean | null;
      /** @description In a browser, leave out advertising, analytics, chats and consent managers of third parties; not with a screenshot or actions, and not where a page is empty without them. Default: `true`. */
      blockAds?: boolean | null;
      /** @description Request Markdown from the site before HTML: a site that offers it answers with its own, which is returned as it is. Default: `false`. */
      preferMarkdown?: boolean | null;
      /**
       * @description Cookies for the site of `url`, like a Cookie header: name=value; name2=value2.
       * @example session=abc; theme=dark
       */
      cookies?: string | null;
      /** @description Name of one of your profiles (PUT /v1/profiles/:name): its cookies go to the hosts that they are for. Where the site asks for a login again, the page fails with `auth_expired`. Not with `cookies`. */
      profile?: string | null;
      /**
       * @description Request headers for the site of `url`; never sent to another site.
       * @example {
       *       "accept-language": "fr"
       *     }
       */
      headers?: {
        [key: string]: string;
      } | null;
      /** @description Ignore robots.txt. Default: `false`. */
      ignoreRobotsTxt?: boolean | null;
      /**
       * @description Your use of the page. If the site refuses it by Content-Signal, Content-Usage, TDMRep or RSL, the request fails with `content_use_refused`: before the page is requested, where files of the site say so. Not with `ignoreRobotsTxt`.
       * @enum {string|null}
       */
      respectUse?: 'search' | 'ai-input' | 'ai-train' | null;
      /** @description Accept a cached copy up to this age in milliseconds; 0: always fresh. Default: `0`. */
      maxAge?: number | null;
      /** @description Use only the cache, for a copy at least this many milliseconds old; 404 if there is none. */
      minAge?: number | null;
      /**
       * @description Location of the visitor: sets the preferred language, and uses a proxy there if one is configured.
       * @example {
       *       "country": "DE"
       *     }
       */
      location?: {
        country?: string;
      } | null;
      /** @description Maximum cost of paid fetch methods for this page in US dollars; 0: none is used. */
      costCeiling?: number | null;
      /**
       * @description Pages to scrape, http:// or https://. A URL listed twice is fetched and charged once.
       * @example [
       *       "https://example.com/",
       *       "https://example.org/"
       *     ]
       */
      urls: string[];
      /** @description Return 202 at once and process the list as a job: poll GET /v1/jobs/{id}. Does not support `actions`, `schema`, `maxAge`, `minAge` and the formats json and summary. Default: `false`. */
      async?: boolean | null;
      /** @description With `async`: keep a search index of the pages: GET /v1/crawl/{id}/search finds those that match a query. Default: `false`. */
      index?: boolean | null;
      /**
       * Format: uri
       * @description With `async`: URL notified when the job ends. Stored with the job.
       */
      webhook?: string | null;
      /**
       * Format: uri
       * @description Alias of `webhook`.
       */
      webhookUrl?: string | null;
    };
    BatchItem: {
      /** @description Place in `urls`. */
      index: number;
      /** @description The URL after redirects if `ok`, else as sent. */
      url: string;
      /** @description If true, every other field is as in the response of POST /v1/scrape. */
      ok: boolean;
      /** @description If not `ok`: the error text. */
      error?: string;
      /** @description If not `ok`: how to fix it. */
      hint?: string;
      /** @description If not `ok`: the error code, such as fetch_failed, blocked_url or batch_timeout. */
      code?: string;
      /** @description When `ok`, unless `formats` leaves it out. */
      markdown?: string;
      /** @description When `ok`; see POST /v1/scrape. */
      metadata?: Record<string, unknown>;
      /** @description The attempts made; see POST /v1/scrape. */
      cascade?: Record<string, unknown>;
    };
    BatchSummary: {
      total: number;
      ok: number;
      failed: number;
    };
    BatchAnswer: {
      /** @description One per entry of `urls`, in its order. */
      results: components['schemas']['BatchItem'][];
      summary: components['schemas']['BatchSummary'];
      /** @description In the body, not in a header, because it is known only at the end. */
      creditsUsed: number;
    };
    ProfileView: {
      name: string;
      /**
       * @description `auth_expired`: the site asked for a login again, though it got the cookies. `expired`: its time is over, and it is deleted.
       * @enum {string}
       */
      state: 'active' | 'auth_expired' | 'expired';
      /** Format: uri */
      url: string | null;
      /** @description With a leading dot: its subdomains, too. */
      hosts: string[];
      cookieNames: string[];
      /** Format: date-time */
      savedAt: string;
      /** Format: date-time */
      usedAt: string | null;
      /**
       * Format: date-time
       * @description The end of its last cookie, or of its time without use.
       */
      expiresAt: string;
    };
    ProfileList: {
      profiles: components['schemas']['ProfileView'][];
    };
    ProfileRequest: {
      /**
       * Format: uri
       * @description Where the site asks for a login. Required if `cookies` is a text: they are then for its host alone. A page that ends there asks for a login again.
       * @example https://example.com/
       */
      url?: string | null;
      /** @description In place of `cookies`: the actions of the login, run once in a browser on the page of `url`. They are not stored; the cookies that they end with are. Charged as a scrape. */
      actions?:
        | {
            /** @enum {string} */
            type: 'click' | 'scroll' | 'wait' | 'write' | 'press' | 'screenshot' | 'pdf';
            /** @description CSS selector of the element; required by click. */
            selector?: string | null;
            /** @description Text for `write`. It is typed into the element of `selector`, else into the focused field; an element without text input fails the scrape. */
            text?: string | null;
            /** @description Key for `press`, such as Enter or Control+A. */
            key?: string | null;
            /** @description wait: milliseconds. scroll: pixels, negative scrolls up. */
            ms?: number | null;
            /** @description Reserved. */
            script?: string | null;
          }[]
        | null;
      /** @description With `actions`: ignore robots.txt. Default: `false`. */
      ignoreRobotsTxt?: boolean | null;
      /**
       * @description The cookies of a browser that is logged in, up to 100: a list of objects as browsers and their extensions export them (a domain with a leading dot includes subdomains), or the text of a Cookie header. They are stored encrypted, and never returned.
       * @example [
       *       {
       *         "name": "session",
       *         "value": "abc",
       *         "domain": ".example.com",
       *         "secure": true
       *       }
       *     ]
       */
      cookies?:
        | (
            | string
            | {
                name: string;
                value: string;
                /** @description Without it, the host of `url`. */
                domain?: string | null;
                /** @description Default: `"/"`. */
                path?: string;
                secure?: boolean | null;
                httpOnly?: boolean | null;
                hostOnly?: boolean | null;
                sameSite?: string | null;
                /** @description Seconds since 1970; alias `expirationDate`. */
                expires?: number | null;
              }[]
          )
        | null;
    };
    ProfileDeleted: {
      name: string;
      deleted: boolean;
    };
    JobScrapeFields: {
      /** @description Cut the Markdown to so many tokens (encoding cl100k_base), between sentences, rows or lines of code; its last line and `markdownCut` say what is left out. */
      maxTokens?: number | null;
      /** @description Adds the page source as `html`. Default: `false`. */
      includeHtml?: boolean | null;
      /** @description Adds `_provenance` to `listing`: the source of each field. Default: `false`. */
      listingProvenance?: boolean | null;
      /** @description Keep only the main content: no menus, footers or banners. Default: `false`. */
      onlyMainContent?: boolean | null;
      /**
       * @description CSS selectors: keep only matching elements.
       * @example [
       *       "article"
       *     ]
       */
      includeTags?: string[] | null;
      /**
       * @description CSS selectors: remove matching elements; takes precedence over `includeTags`.
       * @example [
       *       "nav",
       *       ".ads"
       *     ]
       */
      excludeTags?: string[] | null;
      /** @description Remove the data of inline (data URI) images from the Markdown. Otherwise it is kept: up to 1 MB of an image, and 4 MB of a page. Default: `false`. */
      removeBase64Images?: boolean | null;
      /**
       * @description Addresses of links and images in the Markdown: `inlined` behind each, `referenced` by number in a list at its end, `omitted`: links and images are their text alone. Default: `"inlined"`.
       * @enum {string|null}
       */
      linkStyle?: 'inlined' | 'referenced' | 'omitted' | null;
      /** @description Start with the browser. Default: `false`. */
      forceHeadless?: boolean | null;
      /** @description Milliseconds to wait after load; more than 0 starts with the browser. Default: `0`. */
      waitFor?: number | null;
      /** @description Scroll to the end in a browser first, to load lazy content. A screenshot then shows the whole page. Default: `false`. */
      scroll?: boolean | null;
      /** @description In a browser, leave out advertising, analytics, chats and consent managers of third parties; not with a screenshot or actions, and not where a page is empty without them. Default: `true`. */
      blockAds?: boolean | null;
      /** @description Request Markdown from the site before HTML: a site that offers it answers with its own, which is returned as it is. Default: `false`. */
      preferMarkdown?: boolean | null;
      /**
       * @description Cookies for the site of `url`, like a Cookie header: name=value; name2=value2.
       * @example session=abc; theme=dark
       */
      cookies?: string | null;
      /** @description Name of one of your profiles (PUT /v1/profiles/:name): its cookies go to the hosts that they are for. Where the site asks for a login again, the page fails with `auth_expired`. Not with `cookies`. */
      profile?: string | null;
      /**
       * @description Request headers for the site of `url`; never sent to another site.
       * @example {
       *       "accept-language": "fr"
       *     }
       */
      headers?: {
        [key: string]: string;
      } | null;
      /**
       * @description Location of the visitor: sets the preferred language, and uses a proxy there if one is configured.
       * @example {
       *       "country": "DE"
       *     }
       */
      location?: {
        country?: string;
      } | null;
      /**
       * @description Outputs stored for each page, as fields of its result. Outputs that need a model are for single pages only. Default: `["markdown"]`.
       * @example [
       *       "markdown",
       *       "links"
       *     ]
       */
      formats?:
        | (
            | ('markdown' | 'rawHtml' | 'links' | 'screenshot' | 'branding' | 'product')
            | {
                /** @enum {string} */
                type: 'passages';
                /** @description A question or words, in the language of the page. */
                query: string;
                /** @description Default: `5`. */
                max?: number | null;
                /** @description A model puts the best 20 in order; its cost is in `metadata.llm`. Only for POST /v1/scrape, where a model is configured. Default: `false`. */
                rerank?: boolean | null;
              }
          )[]
        | null;
      /** @description Read the business listing of each page, as `listing` of its result. Default: `false`. */
      extractListing?: boolean | null;
      /** @description Leave out of the Markdown of a page what many earlier pages of its host have, too, such as navigation; `dropped_repeated` of its result counts it. Default: `false`. */
      dropRepeated?: boolean | null;
    };
    CrawlRequest: {
      /**
       * Format: uri
       * @description Start page; the crawl stays on the same domain. If it redirects to another one, the crawl goes on there: see `strictScope`.
       * @example https://example.com/
       */
      url: string;
      /** @description Maximum number of pages to scrape; larger values are clamped to the service's maximum. Default: `10`. */
      maxPages?: number | null;
      /**
       * @description Alias of `maxPages`; wins when both are set.
       * @example 50
       */
      limit?: number | null;
      /** @description Maximum distance in links from the start page, which has depth 0. */
      maxDepth?: number | null;
      /**
       * @description Only these paths: a path with everything below it, or a glob (`*` within a segment, `**` across segments). A pattern with `?` is compared with path and query; `?name=` alone is any URL with a parameter that begins so. Patterns that begin with a path may leave the path of the start page; those that begin with `*` or `?` stay below it.
       * @example [
       *       "/docs",
       *       "/blog/**"
       *     ]
       */
      includePaths?: string[] | null;
      /** @description Exclude these paths; same syntax as `includePaths`, and takes precedence over it. */
      excludePaths?: string[] | null;
      /** @description Also follow links above the path of the start page. Default: `false`. */
      allowBackwardLinks?: boolean | null;
      /** @description Stay on the host and below the path of `url` even if the start page redirects elsewhere. By default the crawl then goes on where the start page ended, as if `url` were that URL. Default: `false`. */
      strictScope?: boolean | null;
      /** @description Ignore robots.txt. Default: `false`. */
      ignoreRobotsTxt?: boolean | null;
      /**
       * @description Your use of the pages. Those whose site refuses it by Content-Signal, Content-Usage, TDMRep or RSL are skipped with the reason `content_use`. Not with `ignoreRobotsTxt`.
       * @enum {string|null}
       */
      respectUse?: 'search' | 'ai-input' | 'ai-train' | null;
      /**
       * @description Whether URLs from the site's sitemaps are followed in addition to its links (include), not at all (skip), or instead of links (only). Default: `"include"`.
       * @enum {string|null}
       */
      sitemap?: 'include' | 'skip' | 'only' | null;
      /**
       * @description Further lists of pages to read: the llms.txt of the site and of the folder of `url` (`llms.txt`), the feeds that the start page names (`feeds`). A start page that is itself an llms.txt, a feed or an OPML file is always read as one.
       * @example [
       *       "llms.txt",
       *       "feeds"
       *     ]
       */
      sources?: ('llms.txt' | 'feeds')[] | null;
      /** @description Scrape options for each page. Headers and cookies are sent only to the origin of `url` and deleted when the crawl ends. */
      scrapeOptions?: components['schemas']['JobScrapeFields'] | null;
      /** @description Keep a search index of the pages: GET /v1/crawl/{id}/search finds those that match a query. A crawl of more than 1000 pages has one only if it is `true`. Default: `true`. */
      index?: boolean | null;
      /** @description Id of an earlier crawl of the site: only what has changed since is fetched and stored anew. The results are those of the whole site; `changes` of the job, and `reason` of each URL, say what is new, changed, the same or gone. Ten unchanged pages cost a credit. */
      since?: string | null;
      /**
       * @description A day (its begin in UTC), or an instant with its zone. Pages whose site says that they are older are skipped with the reason `not_modified`: by `lastmod` of sitemaps they are not fetched, by `Last-Modified` not stored, but their links followed. Pages without such a date are stored, and so is the start page. Not with `since`, which needs no dates.
       * @example 2026-11-01
       */
      modifiedSince?: string | null;
      /**
       * Format: uri
       * @description URL notified when the crawl completes. Stored with the job.
       */
      webhook?: string | null;
      /**
       * Format: uri
       * @description Alias of `webhook`.
       */
      webhookUrl?: string | null;
    };
    CrawlAccepted: {
      /** Format: uuid */
      jobId: string;
      /** @enum {string} */
      status: 'queued';
      /** Format: uri */
      url: string;
      message: string;
    };
    PageCounts: {
      discovered: number;
      pending: number;
      leased: number;
      scraped: number;
      failed: number;
      skipped: number;
      cancelled: number;
    };
    JobChanges: {
      /** @description Not among the results of the earlier crawl. */
      new: number;
      /** @description Title or Markdown are others. */
      changed: number;
      same: number;
      /** @description Twice not found (404, 410), or no page of the crawl any more: it leads to another, or may not be stored. */
      gone: number;
    };
    JobView: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: 'crawl' | 'batch' | 'extract';
      /** Format: uri */
      url: string;
      /** @enum {string} */
      status: 'queued' | 'running' | 'processing' | 'completed' | 'failed' | 'cancelled';
      pages_scraped: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      completed_at: string | null;
      /** @description Signed, expiring URL of the full results; new at each GET. Set when completed. */
      result_url: string | null;
      error: string | null;
      pages: components['schemas']['PageCounts'];
      /** @description Skipped URLs by reason. */
      skipped: {
        [key: string]: number;
      };
      /** @description Failed pages by error class. */
      failed: {
        [key: string]: number;
      };
      /**
       * Format: uuid
       * @description Of a crawl with `since`: the crawl that it compares the site with.
       */
      since?: string;
      /** @description Of a crawl with `since`: pages by how they differ. */
      changes?: components['schemas']['JobChanges'];
      /** @description The job reached its maximum number of recorded URLs; further links were dropped. */
      discovery_capped: boolean;
      /**
       * Format: uri
       * @description For a crawl: what the URLs that it follows begin with, `www.` and http or https apart. Differs from `url` once the start page has redirected elsewhere.
       */
      scope?: string;
      /**
       * Format: uuid
       * @description For a job of type `extract`: the source job of the stored pages.
       */
      source_job_id?: string;
    };
    JobCancelled: {
      /** Format: uuid */
      jobId: string;
      /**
       * @description State of the job now.
       * @enum {string}
       */
      status: 'completed' | 'failed' | 'cancelled';
      /** @description True if the job is cancelled, by this call or before. */
      cancelled: boolean;
    };
    SiteView: {
      name: string;
      /** @description As it was sent, without `schedule` and `timeZone`. */
      crawl: Record<string, unknown>;
      schedule: string | null;
      timeZone: string;
      /** Format: date-time */
      nextRunAt: string | null;
      /**
       * Format: uuid
       * @description Its last crawl.
       */
      lastJobId: string | null;
      /** @description Why the last crawl was not started. */
      problem?: string;
      /** Format: date-time */
      createdAt: string;
    };
    SiteList: {
      sites: components['schemas']['SiteView'][];
    };
    NamedSiteRequest: {
      /**
       * Format: uri
       * @description Start page; the crawl stays on the same domain. If it redirects to another one, the crawl goes on there: see `strictScope`.
       * @example https://example.com/
       */
      url: string;
      /** @description Maximum number of pages to scrape; larger values are clamped to the service's maximum. Default: `10`. */
      maxPages?: number | null;
      /**
       * @description Alias of `maxPages`; wins when both are set.
       * @example 50
       */
      limit?: number | null;
      /** @description Maximum distance in links from the start page, which has depth 0. */
      maxDepth?: number | null;
      /**
       * @description Only these paths: a path with everything below it, or a glob (`*` within a segment, `**` across segments). A pattern with `?` is compared with path and query; `?name=` alone is any URL with a parameter that begins so. Patterns that begin with a path may leave the path of the start page; those that begin with `*` or `?` stay below it.
       * @example [
       *       "/docs",
       *       "/blog/**"
       *     ]
       */
      includePaths?: string[] | null;
      /** @description Exclude these paths; same syntax as `includePaths`, and takes precedence over it. */
      excludePaths?: string[] | null;
      /** @description Also follow links above the path of the start page. Default: `false`. */
      allowBackwardLinks?: boolean | null;
      /** @description Stay on the host and below the path of `url` even if the start page redirects elsewhere. By default the crawl then goes on where the start page ended, as if `url` were that URL. Default: `false`. */
      strictScope?: boolean | null;
      /** @description Ignore robots.txt. Default: `false`. */
      ignoreRobotsTxt?: boolean | null;
      /**
       * @description Your use of the pages. Those whose site refuses it by Content-Signal, Content-Usage, TDMRep or RSL are skipped with the reason `content_use`. Not with `ignoreRobotsTxt`.
       * @enum {string|null}
       */
      respectUse?: 'search' | 'ai-input' | 'ai-train' | null;
      /**
       * @description Whether URLs from the site's sitemaps are followed in addition to its links (include), not at all (skip), or instead of links (only). Default: `"include"`.
       * @enum {string|null}
       */
      sitemap?: 'include' | 'skip' | 'only' | null;
      /**
       * @description Further lists of pages to read: the llms.txt of the site and of the folder of `url` (`llms.txt`), the feeds that the start page names (`feeds`). A start page that is itself an llms.txt, a feed or an OPML file is always read as one.
       * @example [
       *       "llms.txt",
       *       "feeds"
       *     ]
       */
      sources?: ('llms.txt' | 'feeds')[] | null;
      /** @description Scrape options for each page. Headers and cookies are sent only to the origin of `url` and deleted when the crawl ends. */
      scrapeOptions?: components['schemas']['JobScrapeFields'] | null;
      /** @description Keep a search index of the pages: GET /v1/crawl/{id}/search finds those that match a query. A crawl of more than 1000 pages has one only if it is `true`. Default: `true`. */
      index?: boolean | null;
      /**
       * Format: uri
       * @description URL notified when the crawl completes. Stored with the job.
       */
      webhook?: string | null;
      /**
       * Format: uri
       * @description Alias of `webhook`.
       */
      webhookUrl?: string | null;
      /**
       * @description Cron expression of five fields: minute, hour, day, month, day of the week. Without it, the site is crawled when that is requested.
       * @example 0 7 * * *
       */
      schedule?: string | null;
      /**
       * @description IANA time zone of the schedule; without it, UTC.
       * @example Europe/Berlin
       */
      timeZone?: string | null;
    };
    SiteDeleted: {
      name: string;
      deleted: boolean;
    };
    JobSummary: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: 'crawl' | 'batch' | 'extract';
      /** Format: uri */
      url: string;
      /** @enum {string} */
      status: 'queued' | 'running' | 'processing' | 'completed' | 'failed' | 'cancelled';
      pages_scraped: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      completed_at: string | null;
    };
    JobList: {
      jobs: components['schemas']['JobSummary'][];
    };
    ResultsPage: {
      /** Format: uuid */
      id: string;
      status: string;
      /** @description Page results in the order they were scraped. */
      results: Record<string, unknown>[];
      /** @description Cursor of the next page; null if there is none yet. */
      next: string | null;
    };
    LedgerCountsView: {
      pending: number;
      leased: number;
      scraped: number;
      failed: number;
      skipped: number;
      cancelled: number;
    };
    LedgerEntryView: {
      /** Format: uri */
      url: string;
      /** @enum {string} */
      state: 'pending' | 'leased' | 'scraped' | 'failed' | 'skipped' | 'cancelled';
      /** @description Error class of a failure, reason of a skip; null otherwise. */
      reason: string | null;
      /** @enum {string} */
      kind: 'page' | 'sitemap';
      /** @description Rung of the cascade that fetched it. */
      rung: string | null;
      status_code: number | null;
      /** @description Number of fetch attempts. */
      attempts: number;
      /** @description Distance from the start page, in links. */
      depth: number;
      /**
       * Format: uri
       * @description Page that first linked to it; null for the start page.
       */
      parent: string | null;
      /** @description Milliseconds of the last attempt, including conversion. */
      ms: number | null;
      /** Format: date-time */
      finished_at: string | null;
    };
    LedgerPage: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      status: 'queued' | 'running' | 'processing' | 'completed' | 'failed' | 'cancelled';
      discovered: number;
      counts: components['schemas']['LedgerCountsView'];
      /** @description In the order they were discovered. */
      urls: components['schemas']['LedgerEntryView'][];
      /** @description Cursor of the next page; null if there are no more for now. With a filter that few URLs match, a page may contain fewer than `limit` entries and still have a `next`. */
      next: string | null;
    };
    FoundPageView: {
      /** Format: uri */
      url: string;
      /** @description Empty if the page has none. */
      title: string;
      /** @description Part of the page around the matches, as plain text: escape it like any other text of a page. */
      snippet: string;
      /**
       * @description Start and end of each match in `snippet`, the end exclusive, in UTF-16 code units (as in JavaScript).
       * @example [
       *       [
       *         4,
       *         10
       *       ]
       *     ]
       */
      highlights: number[][];
      /** @description Comparable within one query only; higher is better. */
      score: number;
      /** @description Number of its page result: GET /v1/crawl/{id}/results with `cursor` one less and `limit=1` returns it. */
      resultNo: number;
      /** @description With `passages`: the parts of its Markdown that have the words, best first. Null: no Markdown of it is stored, or it could not be read in 10 seconds. */
      passages?: components['schemas']['PassageView'][] | null;
    };
    PageSearchAnswer: {
      /** Format: uuid */
      id: string;
      /**
       * @description While the job runs, more pages may follow.
       * @enum {string}
       */
      status: 'queued' | 'running' | 'processing' | 'completed' | 'failed' | 'cancelled';
      /** @description As it was searched for. */
      query: string;
      /** @description Number of matching pages, at most 10000. */
      total: number;
      /** @description False if more than 10000 pages may match; so many of them are ranked. */
      totalIsExact: boolean;
      results: components['schemas']['FoundPageView'][];
      /** @description Cursor of the next page of matches; null if there is none. */
      next: string | null;
    };
    ReextractRequest: {
      /**
       * @description JSON Schema (2020-12): Schema of the format `json`. Without it: free-form data about the page.
       * @example {
       *       "type": "object",
       *       "properties": {
       *         "price": {
       *           "type": "number"
       *         }
       *       }
       *     }
       */
      schema?: {
        [key: string]: unknown;
      } | null;
      /**
       * @description JSON Schema (2020-12): Alias of `schema`.
       * @example {
       *       "type": "object",
       *       "properties": {
       *         "price": {
       *           "type": "number"
       *         }
       *       }
       *     }
       */
      jsonSchema?: {
        [key: string]: unknown;
      } | null;
      /** @description Keep only the main content: no menus, footers or banners. Default: `false`. */
      onlyMainContent?: boolean | null;
      /**
       * @description CSS selectors: keep only matching elements.
       * @example [
       *       "article"
       *     ]
       */
      includeTags?: string[] | null;
      /**
       * @description CSS selectors: remove matching elements; takes precedence over `includeTags`.
       * @example [
       *       "nav",
       *       ".ads"
       *     ]
       */
      excludeTags?: string[] | null;
      /** @description Remove the data of inline (data URI) images from the Markdown. Otherwise it is kept: up to 1 MB of an image, and 4 MB of a page. Default: `false`. */
      removeBase64Images?: boolean | null;
      /**
       * @description Addresses of links and images in the Markdown: `inlined` behind each, `referenced` by number in a list at its end, `omitted`: links and images are their text alone. Default: `"inlined"`.
       * @enum {string|null}
       */
      linkStyle?: 'inlined' | 'referenced' | 'omitted' | null;
      /**
       * @description Outputs for each stored page, as fields of its result; `schema` implies `json`. `json` and `summary` use a model; all but these and `markdown` need a job that stored `rawHtml`.
       * @example [
       *       "json"
       *     ]
       */
      formats?:
        ('markdown' | 'rawHtml' | 'links' | 'branding' | 'product' | 'json' | 'summary')[] | null;
      /** @description Read the business listing of each page, as `listing` of its result. By default only if nothing else is requested. Default: `false`. */
      extractListing?: boolean | null;
      /**
       * @description high: a stronger model. Used with `schema`. Default: `"low"`.
       * @enum {string|null}
       */
      complexity?: 'low' | 'high' | null;
      /**
       * @description Maximum number of pages, starting with the first scraped one, for example to try a schema. Default: all.
       * @example 10
       */
      limit?: number | null;
      /**
       * Format: uri
       * @description URL notified when the job completes. Stored with the job.
       */
      webhook?: string | null;
      /**
       * Format: uri
       * @description Alias of `webhook`.
       */
      webhookUrl?: string | null;
    };
    ReextractAccepted: {
      /** Format: uuid */
      jobId: string;
      /** @enum {string} */
      status: 'queued';
      /**
       * Format: uri
       * @description URL of the source job.
       */
      url: string;
      /**
       * Format: uuid
       * @description The source job.
       */
      sourceJobId: string;
      /** @description Stored pages to read. */
      pages: number;
      message: string;
    };
    EventBody: {
      /** Format: uuid */
      jobId: string;
      /** @enum {string} */
      status: 'completed' | 'failed' | 'cancelled';
      /**
       * Format: uri
       * @description Start page of the crawl.
       */
      url: string;
      pages_scraped: number;
      /** @description Signed, expiring URL of the full results; new at each attempt. Set when completed. */
      result_url: string | null;
      /** Format: date-time */
      completed_at: string | null;
      /** @description Of a crawl with `since`: pages by how they differ. */
      changes?: components['schemas']['JobChanges'];
      /**
       * Format: uri
       * @description Of a crawl with `since`: what it changes in a copy of the site. Needs your key.
       */
      changes_url?: string;
      /**
       * @description Of POST /v1/webhooks/test: there is no job.
       * @enum {boolean}
       */
      test?: true;
      /**
       * @description This and the following: of jobs of /v2.
       * @enum {boolean}
       */
      success?: true;
      /** @enum {string} */
      type?: 'crawl.completed' | 'batch_scrape.completed';
      /**
       * Format: uuid
       * @description The same as `jobId`.
       */
      id?: string;
      /** @description Empty: read the pages from the job. */
      data?: Record<string, unknown>[];
      /** @description Empty. */
      metadata?: Record<string, unknown>;
    };
    FeedEventRow: {
      /** @description The id of the row in the files of the feed. */
      id: string;
      /** @enum {string} */
      kind: 'new' | 'changed';
      row: {
        [key: string]: unknown;
      };
      /** @description Of a changed row: each field `before` and `after`, or what the connector says. */
      changes?: {
        [key: string]: unknown;
      };
    };
    FeedRowsEvent: {
      /**
       * Format: uuid
       * @description Also in the header `webhook-id`.
       */
      id: string;
      /** Format: uuid */
      feedId: string;
      connectorId: string;
      /** Format: uuid */
      runId: string;
      /** @enum {string} */
      type: 'feed.rows';
      /**
       * Format: date-time
       * @description When the run was due.
       */
      tick: string;
      /** @description Up to 100; each row is in one event only. */
      rows: components['schemas']['FeedEventRow'][];
    };
    FeedPausedEvent: {
      /**
       * Format: uuid
       * @description Also in the header `webhook-id`.
       */
      id: string;
      /** Format: uuid */
      feedId: string;
      connectorId: string;
      /** Format: uuid */
      runId: string;
      /** @enum {string} */
      type: 'feed.paused';
      reason: string;
    };
    AttemptView: {
      /** @description Counted over all schedules of the delivery. */
      no: number;
      /** Format: date-time */
      at: string;
      /** @description HTTP status; null: no response. */
      status: number | null;
      /** @description Null while it runs. */
      ms: number | null;
      /**
       * @description Null: a 2xx came.
       * @enum {string|null}
       */
      error:
        | 'timeout'
        | 'network'
        | 'invalid_answer'
        | 'blocked_address'
        | 'redirect'
        | 'gone'
        | 'http_status'
        | 'interrupted'
        | 'internal'
        | null;
      /** @description Start of the receiver's response, at most 1 KiB. */
      answer: string | null;
    };
    DeliveryView: {
      /**
       * Format: uuid
       * @description Sent as `webhook-id`, the same at every attempt.
       */
      id: string;
      /**
       * Format: uuid
       * @description Null: it is of a feed.
       */
      jobId: string | null;
      /** Format: uuid */
      feedId?: string;
      /**
       * @description Job type and outcome, `feed.rows` or `feed.paused`.
       * @example crawl.completed
       */
      event: string;
      /** Format: uri */
      url: string;
      /**
       * @description pending: will be sent, now or at `next_attempt_at`; delivered: the receiver returned a 2xx; failed: all attempts failed; disabled: the URL returned 410, to this or an earlier delivery.
       * @enum {string}
       */
      state: 'pending' | 'delivered' | 'failed' | 'disabled';
      attempt_count: number;
      /** Format: date-time */
      next_attempt_at: string | null;
      /** @description Status of the last attempt. */
      last_status: number | null;
      /** @enum {string|null} */
      last_error:
        | 'timeout'
        | 'network'
        | 'invalid_answer'
        | 'blocked_address'
        | 'redirect'
        | 'gone'
        | 'http_status'
        | 'interrupted'
        | 'internal'
        | null;
      /**
       * Format: date-time
       * @description When the job ended.
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was delivered or failed for good.
       */
      ended_at: string | null;
      /** @description The newest 20, oldest first. */
      attempts: components['schemas']['AttemptView'][];
    };
    DeliveryList: {
      /** @description Newest first. */
      deliveries: components['schemas']['DeliveryView'][];
      /** @description Cursor of the next page; null if there is none. */
      next: string | null;
    };
    TestWebhookRequest: {
      /**
       * Format: uri
       * @description Receives the event.
       * @example https://example.com/hook
       */
      url: string;
    };
    TestWebhookResult: {
      /**
       * Format: uuid
       * @description Sent as `webhook-id`.
       */
      id: string;
      /** @description Whether a 2xx came. */
      delivered: boolean;
      /** @description Null: no response. */
      status: number | null;
      /** @enum {string|null} */
      error:
        | 'timeout'
        | 'network'
        | 'invalid_answer'
        | 'blocked_address'
        | 'redirect'
        | 'gone'
        | 'http_status'
        | 'interrupted'
        | 'internal'
        | null;
      /** @description Start of the receiver's response, at most 1 KiB. */
      answer: string | null;
      ms: number;
      /** @description What was sent. */
      body: components['schemas']['EventBody'];
    };
    PreviousSecret: {
      /**
       * @description Its first characters.
       * @example whsec_Ab12Cd
       */
      prefix: string;
      /**
       * Format: date-time
       * @description Deliveries carry its signature until then.
       */
      expires_at: string;
    };
    SecretView: {
      /**
       * @description Its first characters.
       * @example whsec_Ab12Cd
       */
      prefix: string;
      /** Format: date-time */
      created_at: string;
      /** @description Previous secrets that still sign deliveries too, newest first. */
      previous: components['schemas']['PreviousSecret'][];
    };
    ShownSecret: {
      /**
       * @description Its first characters.
       * @example whsec_Ab12Cd
       */
      prefix: string;
      /** Format: date-time */
      created_at: string;
      /** @description Previous secrets that still sign deliveries too, newest first. */
      previous: components['schemas']['PreviousSecret'][];
      /**
       * @description For a Standard Webhooks library. Shown only once.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
       */
      secret: string;
    };
    DeletedView: {
      jobs: number;
      /** @description URLs of jobs with their results. */
      pages: number;
      /** @description Stored files. */
      files: number;
    };
    DeletionView: {
      /** Format: uuid */
      deletionId: string;
      /** @enum {string} */
      status: 'running' | 'completed';
      /**
       * Format: date-time
       * @description Data created later is kept.
       */
      requested_at: string;
      /** Format: date-time */
      completed_at: string | null;
      deleted: components['schemas']['DeletedView'];
    };
    KeyView: {
      /** Format: uuid */
      id: string;
      /** @example production */
      label: string;
      /**
       * @description Its beginning.
       * @example trawl_live_4f1c…
       */
      prefix: string;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description To the minute; null: never.
       */
      lastUsedAt: string | null;
      /**
       * Format: date-time
       * @description When the key stops working, after a rotation. Null: no end is set.
       */
      expiresAt: string | null;
      /** Format: date-time */
      revokedAt: string | null;
      /**
       * @description first: key of the first tenant; provisioned: from POST /v1/keys/provision; account: created by the account; admin: created by the operator.
       * @enum {string}
       */
      origin: 'first' | 'provisioned' | 'account' | 'admin';
      /** @description Whether this request used it. */
      current: boolean;
    };
    KeyList: {
      /** @description Newest first: every active key, and the last 100 that ended. */
      keys: components['schemas']['KeyView'][];
    };
    NewKeyRequest: {
      /**
       * @description A label that identifies the key; no control characters.
       * @example production
       */
      label: string;
    };
    NewKeyView: {
      /** Format: uuid */
      id: string;
      /** @example production */
      label: string;
      /**
       * @description Its beginning.
       * @example trawl_live_4f1c…
       */
      prefix: string;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description To the minute; null: never.
       */
      lastUsedAt: string | null;
      /**
       * Format: date-time
       * @description When the key stops working, after a rotation. Null: no end is set.
       */
      expiresAt: string | null;
      /** Format: date-time */
      revokedAt: string | null;
      /**
       * @description first: key of the first tenant; provisioned: from POST /v1/keys/provision; account: created by the account; admin: created by the operator.
       * @enum {string}
       */
      origin: 'first' | 'provisioned' | 'account' | 'admin';
      /** @description Whether this request used it. */
      current: boolean;
      /**
       * @description The API key. Shown only once: the service stores only its hash.
       * @example trawl_live_4f1c09ab77de_example0000000000000000000000000000000000000
       */
      apiKey: string;
    };
    RotateKeyRequest: {
      /** @description Seconds that the old key keeps working; 0: it ends at once. Default: `86400`. */
      overlapSeconds?: number | null;
    };
    ReplacedKey: {
      /** Format: uuid */
      id: string;
      /**
       * Format: date-time
       * @description When the old key stops working.
       */
      expiresAt: string;
    };
    RotatedKeyView: {
      /** Format: uuid */
      id: string;
      /** @example production */
      label: string;
      /**
       * @description Its beginning.
       * @example trawl_live_4f1c…
       */
      prefix: string;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description To the minute; null: never.
       */
      lastUsedAt: string | null;
      /**
       * Format: date-time
       * @description When the key stops working, after a rotation. Null: no end is set.
       */
      expiresAt: string | null;
      /** Format: date-time */
      revokedAt: string | null;
      /**
       * @description first: key of the first tenant; provisioned: from POST /v1/keys/provision; account: created by the account; admin: created by the operator.
       * @enum {string}
       */
      origin: 'first' | 'provisioned' | 'account' | 'admin';
      /** @description Whether this request used it. */
      current: boolean;
      /**
       * @description The API key. Shown only once: the service stores only its hash.
       * @example trawl_live_4f1c09ab77de_example0000000000000000000000000000000000000
       */
      apiKey: string;
      /** @description The old key. */
      replaces: components['schemas']['ReplacedKey'];
    };
    RevokedKeyView: {
      /** Format: uuid */
      id: string;
      /** @example production */
      label: string;
      /**
       * @description Its beginning.
       * @example trawl_live_4f1c…
       */
      prefix: string;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description To the minute; null: never.
       */
      lastUsedAt: string | null;
      /**
       * Format: date-time
       * @description When the key stops working, after a rotation. Null: no end is set.
       */
      expiresAt: string | null;
      /** Format: date-time */
      revokedAt: string | null;
      /**
       * @description first: key of the first tenant; provisioned: from POST /v1/keys/provision; account: created by the account; admin: created by the operator.
       * @enum {string}
       */
      origin: 'first' | 'provisioned' | 'account' | 'admin';
      /** @description Whether this request used it. */
      current: boolean;
      /** @description Set if you revoked the key of this request. */
      note: string | null;
    };
    ProvisionRequest: {
      /**
       * @description A label that identifies the key; no control characters.
       * @example production
       */
      label?: string | null;
      /**
       * @description Contact address for the operator.
       * @example dev@example.com
       */
      email?: string | null;
    };
    ProvisionedKey: {
      /**
       * @description The API key. Shown only once: the service stores only its hash.
       * @example trawl_live_4f1c09ab77de_example0000000000000000000000000000000000000
       */
      apiKey: string;
      /**
       * Format: uuid
       * @description The new account.
       */
      tenantId: string;
      /** @enum {string} */
      tier: 'free';
      /** @description What to do next. */
      note: string;
    };
    CheckoutRequest: {
      /**
       * @description The plan to buy, by its public or its legacy name.
       * @example pro
       * @enum {string}
       */
      plan: 'hobby' | 'starter' | 'pro' | 'scale' | 'business';
      /**
       * Format: uri
       * @description The browser is redirected here after the payment; `{CHECKOUT_SESSION_ID}` is replaced. If the operator configured an allowlist of origins, this origin must be on it.
       * @example https://app.example.com/paid
       */
      successUrl: string;
      /**
       * Format: uri
       * @description The browser is redirected here if the payment is cancelled.
       * @example https://app.example.com/plans
       */
      cancelUrl: string;
    };
    HostedPage: {
      /**
       * Format: uri
       * @description Open it in a browser. It is valid for one user and a short time.
       * @example https://checkout.stripe.com/c/pay/cs_test_a1B2
       */
      url: string;
    };
    EventReceipt: {
      /**
       * @description The event is stored, was stored before, or needs no action.
       * @enum {boolean}
       */
      received: true;
    };
    CreditStateView: {
      /**
       * @description ok: the grant of the month is applied; grant_pending, grant_failed: the grant is withheld until the plan is paid; the payment is in progress or failed; reconciling: the balance differs from the credit ledger and is being corrected; unavailable: the credit ledger cannot be read now, and the counters of this record are 0.
       * @enum {string}
       */
      state: 'ok' | 'grant_pending' | 'grant_failed' | 'reconciling' | 'unavailable';
      /** @example 2026-11 */
      period: string;
      /** @description Credits of earlier months are still reserved, or differ from the credit ledger. */
      prior_periods_unresolved: boolean;
    };
    CreditPoolView: {
      /** @description The plan's grant for this month. */
      granted: number;
      /** @description Top-up credits left; they do not expire. */
      topped_up: number;
      /** @description Credits left of the grant and the top-ups together; 9007199254740991 if unlimited. */
      remaining: number;
    };
    CreditPoolsView: {
      /** @description The common pool: every operation can draw on it. `pages_quota` is its grant. */
      scrape: components['schemas']['CreditPoolView'];
      /** @description Enrichments and brands draw on this pool first; the scrape pool covers the rest. */
      enrich: components['schemas']['CreditPoolView'];
      /** @description No operation draws on it yet. */
      kyb: components['schemas']['CreditPoolView'];
    };
    StorageView: {
      /** @description Of jobs whose results are kept (addresses, documents, texts) and of cached pages. */
      bytes: number;
      /** @description No job starts above it (413); 9007199254740991 if unlimited. */
      limit: number;
    };
    UsageRecord: {
      /**
       * @description Hobby is reported as starter, scale as business, custom as enterprise.
       * @enum {string}
       */
      plan: 'free' | 'starter' | 'pro' | 'business' | 'enterprise';
      /** @description Pages with data since the 1st, UTC. */
      pages_scraped: number;
      /** @description Credits of a month; 9007199254740991 if unlimited. */
      pages_quota: number;
      /** @description Calls and pages of jobs since the 1st that returned data from a model: extractions, and scrapes with `json` or `summary`. A cached response uses no model. */
      llm_extractions: number;
      /** @description 0 on the free plan, else as `pages_quota`: extractions cost the same credits. */
      extract_quota: number;
      /** @description Cost of models since the 1st, in USD. */
      cost_usd: number;
      /** @example 2026-11 */
      year_month: string;
      credits: components['schemas']['CreditStateView'];
      /** @description The balance of each pool, without the credits reserved for running calls and jobs. */
      credit_pools: components['schemas']['CreditPoolsView'];
      storage: components['schemas']['StorageView'];
    };
    OverageView: {
      /**
       * @description none: requests are refused with 402; block: further credits are billed in blocks; agreed: by individual agreement.
       * @enum {string}
       */
      kind: 'none' | 'block' | 'agreed';
      /** @description US dollars per block; null for the others. */
      price_usd: number | null;
      /** @description Credits per block; null for the others. */
      credits: number | null;
    };
    PlanView: {
      /** @enum {string} */
      plan: 'free' | 'hobby' | 'pro' | 'scale' | 'custom';
      /**
       * @description Its legacy name.
       * @enum {string}
       */
      legacy_plan: 'free' | 'starter' | 'pro' | 'business' | 'enterprise';
      /** @description US dollars. Null: as agreed. */
      price_per_month_usd: number | null;
      /** @description US dollars per month, billed yearly. Null: as agreed. */
      price_per_month_billed_yearly_usd: number | null;
      /** @description Granted on the 1st of a month, UTC. Null: as agreed. */
      credits_per_month: number | null;
      /** @description Granted at the same time to the enrich pool, which enrichments and brands draw on first. Null: as agreed. */
      enrich_credits_per_month: number | null;
      /** @description Granted at the same time to the KYB pool; no endpoint draws on it yet. Null: as agreed. */
      kyb_credits_per_month: number | null;
      overage: components['schemas']['OverageView'];
      requests_per_minute: number;
      /** @description Maximum number of concurrent requests. Null: no limit. */
      concurrent_requests: number | null;
      /** @description Whether the plan has web search. Absent if the service has none. */
      search?: boolean;
      /** @description Maximum number of results of one search. Absent if the service has no search. */
      search_results?: number;
      screenshots_per_day: number;
      /** @description Pages of one batch fetched at a time. */
      batch_workers: number;
      /** @description Maximum number of links of one map. */
      map_links: number;
    };
    EndpointPriceView: {
      /** @example POST */
      method: string;
      /** @example /v1/scrape */
      path: string;
      /** @description Credits for each unit that returns data. */
      credits: number;
      /**
       * @description The pool that is charged first; the scrape pool covers the rest.
       * @enum {string}
       */
      pool: 'scrape' | 'enrich' | 'kyb';
      /**
       * @description What is counted.
       * @example page
       */
      unit: string;
      /** @description What is free, cheaper or charged in addition. */
      note: string | null;
    };
    PricingView: {
      /** @enum {string} */
      currency: 'USD';
      /** @description From the smallest to the largest. */
      plans: components['schemas']['PlanView'][];
      /** @description Endpoints that cost credits; all others are free. A call that returns no data is free too. */
      endpoints: components['schemas']['EndpointPriceView'][];
    };
    V2ScrapeBody: {
      /** @description Keep only the main content. Default: `true`. */
      onlyMainContent?: boolean | null;
      /** @description CSS selectors to keep. */
      includeTags?: string[] | null;
      /** @description CSS selectors to remove. */
      excludeTags?: string[] | null;
      /** @description Remove inline images. Default: `true`. */
      removeBase64Images?: boolean | null;
      /** @description Request headers for the site of the URL. */
      headers?: {
        [key: string]: string;
      } | null;
      /** @description Milliseconds to wait after load. */
      waitFor?: number | null;
      /** @description In a browser, leave out advertising, analytics and chats of third parties. Default: `true`. */
      blockAds?: boolean | null;
      /** @description Accept a copy up to this age in milliseconds. Pages of a job are fetched anew. */
      maxAge?: number | null;
      /**
       * @description Page to fetch; without a scheme it is reached by http.
       * @example https://example.com/
       */
      url: string;
      /**
       * @description Outputs: names, or objects with a `type`. `json` needs a `schema`; `screenshot` has `fullPage`, `quality` and `viewport`. Default: `["markdown"]`.
       * @example [
       *       "markdown",
       *       {
       *         "type": "screenshot",
       *         "fullPage": true
       *       }
       *     ]
       */
      formats?:
        | (
            | ('markdown' | 'html' | 'rawHtml' | 'links' | 'summary' | 'branding' | 'screenshot')
            | ({
                /** @enum {string} */
                type:
                  | 'markdown'
                  | 'html'
                  | 'rawHtml'
                  | 'links'
                  | 'summary'
                  | 'branding'
                  | 'screenshot'
                  | 'json';
              } & {
                [key: string]: unknown;
              })
          )[]
        | null;
      /**
       * @description Actions in a browser, in order: wait (`milliseconds`), click (`selector`), write (`text`, into the focused element), press (`key`), scroll down, screenshot.
       * @example [
       *       {
       *         "type": "wait",
       *         "milliseconds": 500
       *       }
       *     ]
       */
      actions?:
        | ({
            /** @enum {string} */
            type: 'wait' | 'click' | 'write' | 'press' | 'scroll' | 'screenshot';
          } & {
            [key: string]: unknown;
          })[]
        | null;
      /** @description Use only the cache, for a copy at least this many milliseconds old. */
      minAge?: number | null;
    } & {
      [key: string]: unknown;
    };
    V2Document: {
      markdown?: string;
      /** @description Without scripts, styles and comments. */
      html?: string;
      rawHtml?: string;
      links?: string[];
      /** @description URL or data URI. */
      screenshot?: string;
      /** @description By the `schema` of the format. */
      json?: Record<string, unknown>;
      summary?: string;
      branding?: {
        [key: string]: unknown;
      };
      /** @description Outputs of the actions, in their order. */
      actions?: {
        screenshots?: string[];
      } & {
        [key: string]: unknown;
      };
      /** @description Ignored options, and what is incomplete. */
      warning?: string;
      /** @description The page (`title`, `description`, `ogTitle`, …) and its fetch: `sourceURL`, `url`, `statusCode`, `contentType`, `proxyUsed`, `cacheState`, `creditsUsed`, `scrapeId`, `numPages`. */
      metadata: {
        [key: string]: unknown;
      };
    };
    V2ScrapeResult: {
      /** @enum {boolean} */
      success: true;
      data: components['schemas']['V2Document'];
      /** @description The same as `data.warning`. */
      warning?: string;
    };
    V2SearchBody: {
      /** @example open source web crawlers */
      query: string;
      /** @description Default: `10`. */
      limit?: number | null;
      /** @description Time filter, such as qdr:w. */
      tbs?: string | null;
      /** @description Two-letter code. */
      country?: string | null;
      includeDomains?: string[] | null;
      excludeDomains?: string[] | null;
      /** @description github, research or pdf. */
      categories?: unknown[] | null;
      /** @description Only web is searched; news and images are returned in `unsupported`. */
      sources?: unknown[] | null;
      /** @description With `formats` markdown, each result has the Markdown of its page. */
      scrapeOptions?: {
        [key: string]: unknown;
      } | null;
    } & {
      [key: string]: unknown;
    };
    V2WebResult: {
      /** Format: uri */
      url: string;
      title: string;
      description: string;
      /** @description From 1. */
      position: number;
      markdown?: string;
    };
    V2SearchData: {
      web: components['schemas']['V2WebResult'][];
    };
    V2SearchResult: {
      /** @enum {boolean} */
      success: true;
      /** Format: uuid */
      id: string;
      data: components['schemas']['V2SearchData'];
      /** @description Sources that were not searched. */
      unsupported?: string[];
      creditsUsed: number;
      warning?: string;
    };
    V2MapBody: {
      /**
       * @description Homepage or any page of the site.
       * @example https://example.com/
       */
      url: string;
      /** @description Default: `100`. */
      limit?: number | null;
      /** @description Only URLs that contain this text. */
      search?: string | null;
    } & {
      [key: string]: unknown;
    };
    V2Link: {
      /** Format: uri */
      url: string;
      title?: string;
      description?: string;
    };
    V2MapResult: {
      /** @enum {boolean} */
      success: true;
      /** Format: uuid */
      id: string;
      links: components['schemas']['V2Link'][];
      warning?: string;
    };
    V2JobPageOptions: {
      /** @description Keep only the main content. Default: `true`. */
      onlyMainContent?: boolean | null;
      /** @description CSS selectors to keep. */
      includeTags?: string[] | null;
      /** @description CSS selectors to remove. */
      excludeTags?: string[] | null;
      /** @description Remove inline images. Default: `true`. */
      removeBase64Images?: boolean | null;
      /** @description Request headers for the site of the URL. */
      headers?: {
        [key: string]: string;
      } | null;
      /** @description Milliseconds to wait after load. */
      waitFor?: number | null;
      /** @description In a browser, leave out advertising, analytics and chats of third parties. Default: `true`. */
      blockAds?: boolean | null;
      /** @description Accept a copy up to this age in milliseconds. Pages of a job are fetched anew. */
      maxAge?: number | null;
      /** @description Pages of a job have Markdown only. */
      formats?:
        | (
            | 'markdown'
            | ({
                /** @enum {string} */
                type: 'markdown';
              } & {
                [key: string]: unknown;
              })
          )[]
        | null;
    } & {
      [key: string]: unknown;
    };
    V2CrawlBody: {
      /**
       * @description Start page.
       * @example https://example.com/
       */
      url: string;
      /** @description Default: `10`. */
      limit?: number | null;
      /**
       * @description Only these paths: prefixes, globs, or regular expressions, which are searched in the path.
       * @example [
       *       "/docs",
       *       "^/blog/\\d+"
       *     ]
       */
      includePaths?: string[] | null;
      /** @description Not these paths. */
      excludePaths?: string[] | null;
      /** @description The patterns are regular expressions, searched in the whole URL with its query. Default: `false`. */
      regexOnFullURL?: boolean | null;
      /** @description Maximum distance in links from the start page. */
      maxDiscoveryDepth?: number | null;
      /** @description Also follow links above the path of the start page. Default: `false`. */
      crawlEntireDomain?: boolean | null;
      /** @description Default: `false`. */
      ignoreRobotsTxt?: boolean | null;
      /** @description URL notified when the job completes, or an object with a `url`. */
      webhook?:
        | (
            | string
            | ({
                url: string;
              } & {
                [key: string]: unknown;
              })
          )
        | null;
      scrapeOptions?: components['schemas']['V2JobPageOptions'] | null;
    } & {
      [key: string]: unknown;
    };
    V2JobStarted: {
      /** @enum {boolean} */
      success: true;
      /** Format: uuid */
      id: string;
      /**
       * Format: uri
       * @description Address of its state.
       */
      url: string;
      warning?: string;
    };
    V2JobState: {
      /** @enum {boolean} */
      success: true;
      /** @enum {string} */
      status: 'scraping' | 'completed' | 'failed' | 'cancelled';
      /** @description Pages known so far. */
      total: number;
      /** @description Pages that have ended, failed ones included. */
      completed: number;
      creditsUsed: number;
      /**
       * Format: date-time
       * @description When the pages are deleted.
       */
      expiresAt: string;
      /** @description All pages are in `data`. */
      next: null;
      /** Format: date-time */
      createdAt?: string;
      /** Format: date-time */
      completedAt?: string;
      /** @description Options that were ignored. */
      warning?: string;
      /** @description Of a job that failed. */
      error?: string;
      /** @description The pages stored so far. */
      data: components['schemas']['V2Document'][];
    };
    V2JobCancelled: {
      /** @enum {boolean} */
      success: true;
      /**
       * @description State of the job now.
       * @enum {string}
       */
      status: 'completed' | 'failed' | 'cancelled';
    };
    V2BatchBody: {
      /** @description Keep only the main content. Default: `true`. */
      onlyMainContent?: boolean | null;
      /** @description CSS selectors to keep. */
      includeTags?: string[] | null;
      /** @description CSS selectors to remove. */
      excludeTags?: string[] | null;
      /** @description Remove inline images. Default: `true`. */
      removeBase64Images?: boolean | null;
      /** @description Request headers for the site of the URL. */
      headers?: {
        [key: string]: string;
      } | null;
      /** @description Milliseconds to wait after load. */
      waitFor?: number | null;
      /** @description In a browser, leave out advertising, analytics and chats of third parties. Default: `true`. */
      blockAds?: boolean | null;
      /** @description Accept a copy up to this age in milliseconds. Pages of a job are fetched anew. */
      maxAge?: number | null;
      /** @description Pages of a job have Markdown only. */
      formats?:
        | (
            | 'markdown'
            | ({
                /** @enum {string} */
                type: 'markdown';
              } & {
                [key: string]: unknown;
              })
          )[]
        | null;
      /**
       * @example [
       *       "https://example.com/",
       *       "https://example.org/"
       *     ]
       */
      urls: string[];
      /** @description Entries that are not fetchable URLs are returned as `invalidURLs`. Default: `false`. */
      ignoreInvalidURLs?: boolean | null;
      /** @description Pages in flight at a time, up to the plan's maximum. */
      maxConcurrency?: number | null;
      /** @description URL notified when the job completes, or an object with a `url`. */
      webhook?:
        | (
            | string
            | ({
                url: string;
              } & {
                [key: string]: unknown;
              })
          )
        | null;
    } & {
      [key: string]: unknown;
    };
    V2BatchStarted: {
      /** @enum {boolean} */
      success: true;
      /** Format: uuid */
      id: string;
      /**
       * Format: uri
       * @description Address of its state.
       */
      url: string;
      warning?: string;
      /** @description With `ignoreInvalidURLs`. */
      invalidURLs?: string[];
    };
    V2ParseUpload: {
      /**
       * Format: binary
       * @description A document file: PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, EPUB, RTF, EML, CSV, TSV, Markdown or plain text.
       */
      file: string;
      /** @description A JSON object with `formats`, which may only hold markdown. Other options are ignored and named in `warning`. */
      options?: string;
    } & {
      [key: string]: unknown;
    };
    Error: {
      /** @description Human-readable message; an object with `X-Error-Format: agent`, and by default at endpoints for agents */
      error: string | components['schemas']['AgentError'];
      /** @description How to fix the request, such as the URL or field you probably meant */
      hint?: string;
      /** @description Present on some errors, value false */
      ok?: boolean;
      /** @description `failed` for a job that was not started */
      status?: string;
      /** @description 429: requests per minute of the plan */
      limit?: number;
      /** @description 429: the plan */
      tier?: string;
      /** @description 429: seconds until the next try */
      retryAfterSeconds?: number;
      /** @description 402: credits left for this operation */
      balance?: number;
      /** @description 402: credits the request needs */
      required?: number;
      /** @description 422 of a scrape: the URL */
      url?: string;
      /** @description 422 of a scrape: HTTP status of the page, if its site responded */
      statusCode?: number;
      /** @description 422 of a scrape: the attempts made */
      cascade?: Record<string, unknown>;
      /** @description 422 of a scrape: the providers tried */
      unblock?: Record<string, unknown>;
      /** @description 422 of a scrape: index, type and reason of the action that failed */
      action?: Record<string, unknown>;
      /** @description Documents and models: the reason, for programs */
      reason?: string;
      /** @description The reason, for people */
      message?: string;
      /** @description 400 of an extraction: the entries of `urls` that are not fetchable URLs */
      invalidUrls?: string[];
      /** @description Model usage of the failed call */
      metadata?: Record<string, unknown>;
    };
    AgentError: {
      /** @description Human-readable message */
      message: string;
      /**
       * @description Stable error code for programs
       * @enum {string}
       */
      code:
        | 'invalid_json'
        | 'malformed_request'
        | 'headers_too_large'
        | 'request_timeout'
        | 'url_required'
        | 'domain_required'
        | 'invalid_url'
        | 'blocked_url'
        | 'invalid_request'
        | 'body_too_large'
        | 'unsupported_media_type'
        | 'api_key_required'
        | 'api_key_invalid'
        | 'auth_unavailable'
        | 'payment_required'
        | 'credits_unavailable'
        | 'credits_unsettled'
        | 'rate_limited'
        | 'too_many_requests'
        | 'payment_offered'
        | 'payment_refused'
        | 'payment_used'
        | 'payment_unsettled'
        | 'payment_unreadable'
        | 'payments_unavailable'
        | 'method_not_allowed'
        | 'key_not_found'
        | 'key_ended'
        | 'too_many_keys'
        | 'provision_limited'
        | 'provision_network_limited'
        | 'provision_disabled'
        | 'tenant_not_found'
        | 'plan_required'
        | 'success_url_required'
        | 'cancel_url_required'
        | 'redirect_not_allowed'
        | 'unknown_plan'
        | 'no_billing_account'
        | 'billing_unavailable'
        | 'payment_provider_failed'
        | 'payment_provider_unavailable'
        | 'payment_event_invalid'
        | 'payment_event_unstored'
        | 'job_not_found'
        | 'not_found'
        | 'download_expired'
        | 'jobs_unreadable'
        | 'company_required'
        | 'company_not_found'
        | 'filter_required'
        | 'business_not_found'
        | 'graph_disabled'
        | 'brand_fetch_failed'
        | 'fetch_failed'
        | 'content_use_refused'
        | 'auth_expired'
        | 'not_cached'
        | 'action_not_available'
        | 'browser_unavailable'
        | 'screenshot_unavailable'
        | 'screenshot_failed'
        | 'screenshot_quota'
        | 'since_unusable'
        | 'crawl_unavailable'
        | 'extraction_unavailable'
        | 'job_running'
        | 'nothing_stored'
        | 'scrape_unavailable'
        | 'file_required'
        | 'invalid_multipart'
        | 'docx_unavailable'
        | 'file_unreadable'
        | 'invalid_urls'
        | 'llm_unavailable'
        | 'llm_failed'
        | 'llm_budget'
        | 'llm_quota'
        | 'llm_invalid'
        | 'llm_schema'
        | 'delivery_not_found'
        | 'webhook_secret_not_found'
        | 'batch_unavailable'
        | 'batch_timeout'
        | 'idempotency_key_invalid'
        | 'idempotency_key_refused'
        | 'idempotency_key_reused'
        | 'idempotency_key_running'
        | 'idempotency_answer_gone'
        | 'results_expired'
        | 'job_not_indexed'
        | 'job_search_timeout'
        | 'job_search_busy'
        | 'deletion_not_found'
        | 'results_unavailable'
        | 'too_many_streams'
        | 'streams_unavailable'
        | 'too_many_answers'
        | 'answers_unavailable'
        | 'map_fetch_failed'
        | 'map_timeout'
        | 'unsupported_format'
        | 'unsupported_action'
        | 'unsupported_option'
        | 'idempotency_unsupported'
        | 'too_many_urls'
        | 'unsupported_file'
        | 'operation_deferred'
        | 'results_unreadable'
        | 'query_required'
        | 'search_not_in_plan'
        | 'search_refused'
        | 'search_unavailable'
        | 'location_required'
        | 'scraper_not_set_up'
        | 'scraper_unavailable'
        | 'connector_not_found'
        | 'storage_full'
        | 'unpaid_quota'
        | 'conversation_not_found'
        | 'preview_quota'
        | 'preview_expired'
        | 'already_pulled'
        | 'site_not_found'
        | 'too_many_sites'
        | 'site_busy'
        | 'profile_not_found'
        | 'too_many_profiles'
        | 'profiles_unavailable'
        | 'feed_not_found'
        | 'too_many_feeds'
        | 'feed_too_often'
        | 'client_gone'
        | 'draining'
        | 'internal';
      /** @description What to do next; depends on the code */
      suggested_fix: string;
      /** @description Same as the header x-request-id */
      request_id: string;
    };
    V2Error: {
      /** @enum {boolean} */
      success: false;
      /** @description Human-readable message */
      error: string;
      /** @description For programs */
      code: string;
      /** @description Further fields of the error, such as balance and required of a 402 */
      details: {
        [key: string]: unknown;
      } | null;
    };
  };
  responses: never;
  parameters: {
    /** @description `agent`: `error` is an object with a code and a suggested fix, the default of the endpoints for agents (connectors, preview, pull, chat). Any other value: a text. */
    ErrorFormat: string;
  };
  requestBodies: never;
  headers: {
    /** @description Requests per minute that the account may send, over all of its keys. Polling a job is counted separately, at least 60 a minute. Without a key: the limit of the Free plan. */
    'X-RateLimit-Limit': number;
    /** @description Requests left now. A rejected request does not count. */
    'X-RateLimit-Remaining': number;
    /** @description Seconds to wait before the next try. Absent if retrying cannot help because the operator must configure something. */
    'Retry-After': number;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  scrapeUrl: {
    parameters: {
      query: {
        /** @description Page to fetch, http:// or https://. */
        url: string;
        /** @description Cut the Markdown to so many tokens (encoding cl100k_base), between sentences, rows or lines of code; its last line and `markdownCut` say what is left out. */
        maxTokens?: number | null;
        /** @description Read the business listing of the page: name, address, phone and more. `false` makes the response for a small page much smaller. */
        extractListing?: boolean | null;
        /** @description Keep only the main content: no menus, footers or banners. */
        onlyMainContent?: boolean | null;
        /** @description CSS selectors: keep only matching elements. */
        includeTags?: string[] | null;
        /** @description CSS selectors: remove matching elements; takes precedence over `includeTags`. */
        excludeTags?: string[] | null;
        /** @description Remove the data of inline (data URI) images from the Markdown. Otherwise it is kept: up to 1 MB of an image, and 4 MB of a page. */
        removeBase64Images?: boolean | null;
        /** @description Addresses of links and images in the Markdown: `inlined` behind each, `referenced` by number in a list at its end, `omitted`: links and images are their text alone. */
        linkStyle?: 'inlined' | 'referenced' | 'omitted' | null;
        /** @description Start with the browser. */
        forceHeadless?: boolean | null;
        /** @description Milliseconds to wait after load; more than 0 starts with the browser. */
        waitFor?: number | null;
        /** @description Scroll to the end in a browser first, to load lazy content. A screenshot then shows the whole page. */
        scroll?: boolean | null;
        /** @description In a browser, leave out advertising, analytics, chats and consent managers of third parties; not with a screenshot or actions, and not where a page is empty without them. */
        blockAds?: boolean | null;
        /** @description Request Markdown from the site before HTML: a site that offers it answers with its own, which is returned as it is. */
        preferMarkdown?: boolean | null;
        /** @description Ignore robots.txt. */
        ignoreRobotsTxt?: boolean | null;
        /** @description Your use of the page. If the site refuses it by Content-Signal, Content-Usage, TDMRep or RSL, the request fails with `content_use_refused`: before the page is requested, where files of the site say so. Not with `ignoreRobotsTxt`. */
        respectUse?: 'search' | 'ai-input' | 'ai-train' | null;
        /** @description Accept a cached copy up to this age in milliseconds; 0: always fresh. */
        maxAge?: number | null;
        /** @description Use only the cache, for a copy at least this many milliseconds old; 404 if there is none. */
        minAge?: number | null;
        /** @description Maximum cost of paid fetch methods for this page in US dollars; 0: none is used. */
        costCeiling?: number | null;
        /** @description Two-letter code: as `location.country` of POST /v1/scrape. */
        country?: string | null;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            components['schemas']['ScrapeResult'] | components['schemas']['ScrapedFile'];
          'text/markdown': string;
        };
      };
    };
  };
  scrape: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://example.com/",
         *       "formats": [
         *         "markdown",
         *         "links"
         *       ],
         *       "onlyMainContent": true
         *     }
         */
        'application/json': components['schemas']['ScrapeRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            components['schemas']['ScrapeResult'] | components['schemas']['ScrapedFile'];
          'text/markdown': string;
        };
      };
    };
  };
  map: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://example.com/",
         *       "limit": 50
         *     }
         */
        'application/json': components['schemas']['MapRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MapResult'];
        };
      };
    };
  };
  extract: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://example.com/"
         *     }
         */
        'application/json': components['schemas']['ExtractRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['ExtractedListing']
            | components['schemas']['ExtractedData']
            | components['schemas']['ExtractedMany'];
        };
      };
    };
  };
  enrich: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "domain": "https://example.com/",
         *       "maxPages": 3
         *     }
         */
        'application/json': components['schemas']['EnrichRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EnrichResult'];
        };
      };
    };
  };
  enrichWebsite: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "domain": "https://example.com/",
         *       "maxPages": 3
         *     }
         */
        'application/json': components['schemas']['EnrichWebsiteRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EnrichResult'];
        };
      };
    };
  };
  brand: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "domain": "https://example.com/"
         *     }
         */
        'application/json': components['schemas']['BrandRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BrandResult'];
        };
      };
    };
  };
  resolve: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "domain": "https://example.com/"
         *     }
         */
        'application/json': components['schemas']['ResolveRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ResolveResult'];
        };
      };
    };
  };
  queryGraph: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "tech": [
         *         "WordPress"
         *       ],
         *       "state": "TX",
         *       "limit": 20
         *     }
         */
        'application/json': components['schemas']['GraphQueryRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GraphQueryResult'];
        };
      };
    };
  };
  getGraphBusiness: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `id` of a query result, or a domain. */
        idOrDomain: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GraphBusinessView'];
        };
      };
    };
  };
  parse: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://example.com/report.pdf",
         *       "format": "rag"
         *     }
         */
        'application/json': components['schemas']['ParseRequest'];
        'multipart/form-data': components['schemas']['ParseUpload'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ParseResult'];
        };
      };
    };
  };
  screenshot: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://example.com/",
         *       "width": 800,
         *       "waitFor": 0
         *     }
         */
        'application/json': components['schemas']['ScreenshotRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ScreenshotResult'];
        };
      };
    };
  };
  search: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "query": "postgresql row level security",
         *       "limit": 5,
         *       "includeDomains": [
         *         "postgresql.org"
         *       ]
         *     }
         */
        'application/json': components['schemas']['SearchRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SearchResult'];
        };
      };
    };
  };
  scrapeMaps: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "query": "dentists",
         *       "location": "Austin, TX"
         *     }
         */
        'application/json': components['schemas']['MapsScraperRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MapsScraperResult'];
        };
      };
    };
  };
  scrapeReviews: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "query": "dentists",
         *       "location": "Austin, TX"
         *     }
         */
        'application/json': components['schemas']['LocatedScraperRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReviewsScraperResult'];
        };
      };
    };
  };
  scrapeListings: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "query": "dentists",
         *       "location": "Austin, TX"
         *     }
         */
        'application/json': components['schemas']['LocatedScraperRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ListingsScraperResult'];
        };
      };
    };
  };
  scrapeDirectory: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "urls": [
         *         "https://example.com/",
         *         "https://example.com/about"
         *       ]
         *     }
         */
        'application/json': components['schemas']['DirectoryRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DirectoryResult'];
        };
      };
      /** @description It runs as a job. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchAccepted'];
        };
      };
    };
  };
  listConnectors: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConnectorCatalog'];
        };
      };
    };
  };
  preview: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "connectorId": "sitemap_urls",
         *       "params": {
         *         "url": "https://example.com/"
         *       }
         *     }
         */
        'application/json': components['schemas']['PreviewRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewResult'];
        };
      };
    };
  };
  pull: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "jobId": "0192f7a5-4c1e-7b1d-9c55-8e1f6f0f3a10"
         *     }
         */
        'application/json': components['schemas']['PullRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PullResult'];
        };
      };
      /** @description It runs as a job. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PullResult'];
        };
      };
    };
  };
  getPull: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PullView'];
        };
      };
    };
  };
  cancelPull: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PullCancelled'];
        };
      };
    };
  };
  getPullResults: {
    parameters: {
      query?: {
        /** @description Streamed rows have no maximum. */
        limit?: number;
        /** @description The `next` of the previous page: the number of rows to skip. */
        cursor?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PullRowsPage'];
          'application/x-ndjson': components['schemas']['PullRowsPage'];
          'text/csv': components['schemas']['PullRowsPage'];
        };
      };
    };
  };
  chat: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "message": "all pages of https://example.com/"
         *     }
         */
        'application/json': components['schemas']['ChatMessage'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChatResult'];
        };
      };
    };
  };
  listFeeds: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FeedList'];
        };
      };
    };
  };
  createFeed: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "connectorId": "sitemap_urls",
         *       "params": {
         *         "url": "https://example.com/"
         *       },
         *       "schedule": "0 7 * * 1-5",
         *       "timeZone": "Europe/Berlin",
         *       "firstRun": "full"
         *     }
         */
        'application/json': components['schemas']['FeedRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FeedView'];
        };
      };
    };
  };
  getFeed: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FeedView'];
        };
      };
    };
  };
  deleteFeed: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FeedDeleted'];
        };
      };
    };
  };
  listFeedRuns: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FeedRunList'];
        };
      };
    };
  };
  pauseFeed: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FeedView'];
        };
      };
    };
  };
  resumeFeed: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FeedView'];
        };
      };
    };
  };
  runFeed: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FeedView'];
        };
      };
    };
  };
  renewFeedAddresses: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FeedView'];
        };
      };
    };
  };
  batch: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "urls": [
         *         "https://example.com/",
         *         "https://example.com/about"
         *       ],
         *       "formats": [
         *         "markdown"
         *       ]
         *     }
         */
        'application/json': components['schemas']['BatchRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchAnswer'];
          'application/x-ndjson': components['schemas']['BatchAnswer'];
        };
      };
      /** @description With `async: true`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchAccepted'];
          'application/x-ndjson': components['schemas']['BatchAccepted'];
        };
      };
    };
  };
  listProfiles: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProfileList'];
        };
      };
    };
  };
  getProfile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProfileView'];
        };
      };
    };
  };
  putProfile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://example.com/",
         *       "cookies": "session=abc; theme=dark"
         *     }
         */
        'application/json': components['schemas']['ProfileRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProfileView'];
        };
      };
    };
  };
  deleteProfile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProfileDeleted'];
        };
      };
    };
  };
  startCrawl: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://example.com/",
         *       "limit": 5,
         *       "scrapeOptions": {
         *         "formats": [
         *           "markdown"
         *         ]
         *       }
         *     }
         */
        'application/json': components['schemas']['CrawlRequest'];
      };
    };
    responses: {
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CrawlAccepted'];
        };
      };
    };
  };
  getCrawl: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobView'];
        };
      };
    };
  };
  cancelCrawl: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobCancelled'];
        };
      };
    };
  };
  listSites: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SiteList'];
        };
      };
    };
  };
  getSite: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SiteView'];
        };
      };
    };
  };
  putSite: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://example.com/"
         *     }
         */
        'application/json': components['schemas']['NamedSiteRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SiteView'];
        };
      };
    };
  };
  deleteSite: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SiteDeleted'];
        };
      };
    };
  };
  crawlSite: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CrawlAccepted'];
        };
      };
    };
  };
  getSiteChanges: {
    parameters: {
      query?: {
        /** @description Of each page that has changed also `diff`, a unified diff of title and Markdown (null if they differ too much for one, by 300 lines or 20,000 characters), and `changed_lines`. Both are null if the earlier crawl keeps no Markdown of the page. */
        diff?: boolean;
        /** @description A crawl of the site; without it, from the first one that is kept. */
        since?: string;
      };
      header?: never;
      path: {
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
        };
      };
    };
  };
  listJobs: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobList'];
        };
      };
    };
  };
  getJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobView'];
        };
      };
    };
  };
  cancelJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobCancelled'];
        };
      };
    };
  };
  getCrawlResults: {
    parameters: {
      query?: {
        /** @description Takes precedence over `Accept`. `warc`: ISO 28500:2017, a gzip member for each record. */
        format?: 'json' | 'ndjson' | 'warc';
        /** @description For NDJSON the default is all, and there is no maximum. */
        limit?: number;
        /** @description The `next` of the previous page: the number of page results to skip. */
        cursor?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ResultsPage'];
          'application/x-ndjson': components['schemas']['ResultsPage'];
          'application/warc': components['schemas']['ResultsPage'];
        };
      };
    };
  };
  getCrawlChanges: {
    parameters: {
      query?: {
        /** @description Of each page that has changed also `diff`, a unified diff of title and Markdown (null if they differ too much for one, by 300 lines or 20,000 characters), and `changed_lines`. Both are null if the earlier crawl keeps no Markdown of the page. */
        diff?: boolean;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
        };
      };
    };
  };
  getCrawlUrls: {
    parameters: {
      query?: {
        /** @description Error class of a failure, or reason of a skip. */
        reason?: string;
        state?: 'pending' | 'leased' | 'scraped' | 'failed' | 'skipped' | 'cancelled';
        limit?: number;
        /** @description The `next` of the previous page. */
        cursor?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LedgerPage'];
          'application/x-ndjson': components['schemas']['LedgerPage'];
        };
      };
    };
  };
  searchCrawl: {
    parameters: {
      query: {
        /** @description The `next` of the previous page, for the same `q`. */
        cursor?: string;
        /** @description Of each page so many parts of its Markdown that have the words; `limit` is then at most 10. */
        passages?: number;
        limit?: number;
        /** @description Pages with all of the words. `"…"`: these words in this order; `or`: one of the words beside it; `-word`: pages without it. */
        q: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PageSearchAnswer'];
        };
      };
    };
  };
  followCrawl: {
    parameters: {
      query?: {
        /** @description Page results to skip, if there is no `Last-Event-ID`. */
        cursor?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The stream of events; the schema is that of one event. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': {
            /** @enum {string} */
            event: 'document' | 'status' | 'end';
            /** @description The `Last-Event-ID` to reconnect with. */
            id?: string;
            /** @description JSON */
            data: string;
          };
        };
      };
      /** @description The reader has received `end`: there is nothing to follow. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  startReextraction: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "formats": [
         *         "markdown"
         *       ],
         *       "limit": 2
         *     }
         */
        'application/json': components['schemas']['ReextractRequest'];
      };
    };
    responses: {
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReextractAccepted'];
        };
      };
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        limit?: number;
        /** @description The `next` of the previous page. */
        cursor?: string;
        state?: 'pending' | 'delivered' | 'failed' | 'disabled';
        /** @description Only the delivery of this job. */
        jobId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryList'];
        };
      };
    };
  };
  getDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryView'];
        };
      };
    };
  };
  redeliver: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryView'];
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://example.com/hook"
         *     }
         */
        'application/json': components['schemas']['TestWebhookRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TestWebhookResult'];
        };
      };
    };
  };
  getWebhookSecret: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SecretView'];
        };
      };
    };
  };
  newWebhookSecret: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ShownSecret'];
        };
      };
    };
  };
  deleteData: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeletionView'];
        };
      };
    };
  };
  getDeletion: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeletionView'];
        };
      };
    };
  };
  listKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeyList'];
        };
      };
    };
  };
  createKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "label": "production"
         *     }
         */
        'application/json': components['schemas']['NewKeyRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NewKeyView'];
        };
      };
    };
  };
  rotateKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['RotateKeyRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RotatedKeyView'];
        };
      };
    };
  };
  revokeKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RevokedKeyView'];
        };
      };
    };
  };
  provisionKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['ProvisionRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProvisionedKey'];
        };
      };
    };
  };
  checkout: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "plan": "pro",
         *       "successUrl": "https://app.example.com/paid",
         *       "cancelUrl": "https://app.example.com/plans"
         *     }
         */
        'application/json': components['schemas']['CheckoutRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HostedPage'];
        };
      };
    };
  };
  billingPortal: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HostedPage'];
        };
      };
    };
  };
  getUsage: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UsageRecord'];
        };
      };
    };
  };
  getBillingUsage: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UsageRecord'];
        };
      };
    };
  };
  getPricing: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PricingView'];
        };
      };
    };
  };
  jobEnded: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same at every attempt; use it to detect duplicates. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over id.timestamp.body; during a rotation of the secret several, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EventBody'];
      };
    };
    responses: {
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  feedRows: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same at every attempt; use it to detect duplicates. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over id.timestamp.body; during a rotation of the secret several, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['FeedRowsEvent'];
      };
    };
    responses: {
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  feedPaused: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the delivery, the same at every attempt; use it to detect duplicates. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over id.timestamp.body; during a rotation of the secret several, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['FeedPausedEvent'];
      };
    };
    responses: {
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
