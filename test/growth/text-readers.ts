import type { PageFacts } from '@app/contracts';
import { Deadline, DEFAULT_CONTENT_OPTIONS } from '@app/contracts';
import * as company from '@app/company';
import * as connectors from '@app/connectors';
import * as content from '@app/content';
import type { ReadablePage } from '@app/content';
import * as crawl from '@app/crawl';
import * as egress from '@app/egress';
import * as fetch from '@app/fetch';
import * as graph from '../../libs/graph/src/match/index.js';
import * as search from '@app/search';
import * as tech from '@app/tech';
import { pageWithText } from './hostile-text.js';

/** The libraries that read untrusted text. */
const PAGE_LIBRARIES = { company, content, crawl, egress, fetch, search, tech };
export const LIBRARIES = { ...PAGE_LIBRARIES, connectors, graph };
export type Library = keyof typeof LIBRARIES;

/** Reads a text as one exported function takes it; the text is of any length. */
export type TextReader = (text: string) => unknown;

const ADDRESS = 'https://example.com/';
const resolver = new content.UrlResolver(ADDRESS);
const bytes = (text: string): Buffer => Buffer.from(text);
const urlOf = (text: string): URL => URL.parse(text, ADDRESS) ?? new URL(ADDRESS);
const parse = (text: string) => content.parsePage(pageWithText(text));

const readable = (text: string): ReadablePage => content.readablePage(pageWithText(text), ADDRESS);

function everyElement(text: string, read: (element: never) => unknown): void {
  content.walk(parse(text).document, {
    text: () => undefined,
    enter: (element) => {
      read(element as never);
      return true;
    },
  });
}

const extract = (text: string, onlyMainContent: boolean, type = 'text/html') =>
  content.extractPage(
    { body: bytes(text), contentType: `${type}; charset=utf-8`, url: ADDRESS },
    {
      ...{
        markdown: true,
        links: true,
        rawHtml: true,
        html: true,
        allLinks: true,
        listing: true,
        branding: true,
        product: true,
      },
      content: { ...DEFAULT_CONTENT_OPTIONS, onlyMainContent, excludeTags: ['nav', '.ad'] },
      read: company.readCompanyPage,
    },
  );

const factsOf = (text: string): PageFacts => ({
  ...extract('<p>x', false).facts,
  ...{ title: text.slice(0, 500), text, noscriptText: text, visibleChars: 1 },
  ...{
    scripts: 3,
    scriptSrcs: [text],
    inlineScripts: [text],
    frameSrcs: [text],
    formActions: [text],
  },
  ...{ marks: [text], emptyMounts: ['root'] },
});

const judge = (text: string) =>
  content.judgePage({
    statusCode: 403,
    headers: { 'set-cookie': text, server: text, 'content-type': text },
    url: ADDRESS,
    facts: factsOf(text),
    isRendered: false,
    bytes: text.length,
  });

function obeyRobots(text: string): void {
  const rules = fetch.parseRobots(text);
  rules.isAllowed(urlOf(text.slice(0, 2_000)), 'bot');
  rules.crawlDelayMs('bot');
}

const fingerprints = tech.compileFingerprints(tech.loadBuiltInFingerprints());

const scan = (text: string) =>
  tech.scanPage(
    fingerprints,
    {
      url: ADDRESS,
      headers: { server: [text], 'x-a': [text] },
      cookies: { a: text },
      html: pageWithText(text),
    },
    { deadline: Deadline.after(600_000) },
  );

const sourceWith = (text: string): search.CitableSource => ({
  ...{ position: 1, url: ADDRESS, title: 'A title' },
  text,
});

const RESULT_SHAPES: readonly search.ResultShape[] = [
  { kind: 'searxng_html' },
  { kind: 'searxng_json' },
  {
    kind: 'html',
    shape: search.parseHtmlSetting(
      '{"url": "https://a.example/?q={query}", "results": "p, td", "link": "*", "none": "#x"}',
    ).shape,
  },
];

function readResultPage(text: string, shape: search.ResultShape): unknown {
  const isPage = shape.kind !== 'searxng_json';
  const page = isPage
    ? pageWithText(text)
    : JSON.stringify({ results: [{ url: ADDRESS, title: text }] });
  return search.readSearchResults({
    body: bytes(page),
    contentType: 'text/html',
    url: ADDRESS,
    shape,
  });
}

/** A business every field of which is a stranger's text. */
const recordOf = (text: string): graph.MatchRecord => ({
  ...{ name: text, aliases: [`a ${text}`], domain: text, phones: [text], street: `12 ${text}` },
  ...{ city: text, state: text, zip: text, country: text, uei: text, licenses: [text] },
});
const everyField = (text: string) => graph.prepareRecord(recordOf(text));

const OVERPASS_BOUNDS = { limit: 10, timeoutSeconds: 5 };
const BUSINESS_SHAPES: readonly connectors.BusinessShape[] = [
  { kind: 'overpass' },
  { kind: 'nominatim' },
  { kind: 'business_api', results: '/elements', answered: null, fields: { name: '/tags/name' } },
  { kind: 'business_html', results: 'p, td', fields: { name: '*' }, none: '#x' },
];

function readBusinessPage(text: string, shape: connectors.BusinessShape): unknown {
  const tags = { name: text, phone: text, opening_hours: text, website: text, shop: text };
  const page =
    shape.kind === 'business_html'
      ? pageWithText(text)
      : JSON.stringify(shape.kind === 'nominatim' ? [{ name: text }] : { elements: [{ tags }] });
  return connectors.readBusinesses({
    ...{ body: bytes(page), contentType: 'text/html', url: ADDRESS, shape },
  });
}

/** Every exported function that takes text of a page, a header, an address or a file of a site. */
export const READERS: Readonly<Record<Library, Readonly<Record<string, TextReader>>>> = {
  connectors: {
    businessKey: (text) => connectors.businessKey({ name: text, address: text, phone: text }),
    businessKind: connectors.businessKind,
    csvLine: (text) => connectors.csvLine(['a'], { a: text }),
    lineDiff: (text) => connectors.lineDiff(text, `${text}x`),
    overpassQuery: (text) =>
      connectors.overpassQuery(text, { kind: 'named', name: text }, OVERPASS_BOUNDS),
    readBusinesses: (text) => BUSINESS_SHAPES.map((shape) => readBusinessPage(text, shape)),
    readChoice: (text) => connectors.readChoice({ connector: null, params: text }, []),
    readRequest: connectors.readRequest,
  },
  company: {
    choosePages: (text) =>
      company.choosePages({ url: ADDRESS, links: [{ url: urlOf(text).href, text }] }, 5),
    classifyIndustry: (text) =>
      company.classifyIndustry(company.companyText(readable(text), readable(text).jsonLd.items)),
    companyText: (text) => company.companyText(readable(text), []),
    domainOf: (text) => company.domainOf(`https://${text.slice(0, 250)}.example.com/${text}`),
    phoneIn: (text) => [company.phoneIn(text), company.phoneIn(text, 'DE')],
    phoneNumber: (text) => company.phoneNumber(text, 'DE'),
    manifestAddress: (text) => company.manifestAddress(parse(text).described, resolver),
    readBrand: (text) =>
      company.readBrand(readable(text), {
        sheets: new Map([[ADDRESS, { url: ADDRESS, css: text }]]),
        manifest: { url: ADDRESS, text },
      }),
    readCompanyPage: (text) => company.readCompanyPage(readable(text)),
    joinCompanyPages: (text) =>
      company.joinCompanyPages([company.readCompanyPage(readable(text))], {
        domain: 'example.com',
      }),
  },
  content: {
    readMarkedListings: (text) => content.readMarkedListings(readable(text), 100),
    readStatedHours: (text) => content.readStatedHours(text),
    buttonWeight: (text) => everyElement(text, content.buttonWeight),
    canadianProvince: (text) => content.canadianProvince(text),
    chunkMarkdown: (text) => content.chunkMarkdown(text),
    collapse: (text) => content.collapse(text),
    isStorable: (text) => content.isStorable(text),
    countTokens: (text) => content.countTokens(text),
    decodeBody: (text) => content.decodeBody(bytes(text), 'shift_jis'),
    extractPage: (text) => [
      extract(text, false),
      extract(pageWithText(text), true),
      extract(text, false, 'text/markdown'),
    ],
    findDates: (text) => content.findDates(text),
    findNumbers: (text) => content.findNumbers(text),
    familiesOf: (text) => content.familiesOf(text),
    firstColor: (text) => content.firstColor(text),
    fullText: (text) => content.fullText(text, {}),
    markdownParts: (text) =>
      content.markdownParts(
        { markdown: text, url: 'http://a.example/' },
        { passages: { query: text, max: 50 }, maxTokens: 100 },
      ),
    groundValue: (text) =>
      content.groundValue(
        { a: text.slice(0, 1_000) },
        { schema: { type: 'object' }, page: new content.PageText(text, ADDRESS), hints: new Map() },
      ),
    importedBy: (text) => content.importedBy({ url: ADDRESS, css: text }),
    judgePage: judge,
    isMarkdownType: (text) => content.isMarkdownType(text),
    matchAny: (text) =>
      everyElement(text, content.matchAny(['a[href] + b'], new content.StepCounter(Infinity))),
    isButton: (text) => everyElement(text, content.isButton),
    isOwnFont: (text) => content.isOwnFont(text),
    likelyCountry: (text) => content.likelyCountry(urlOf(text).href, text),
    neededSheets: (text) => content.neededSheets([{ kind: 'inline', css: text }], resolver),
    pageBase: (text) => content.pageBase(parse(text).described, ADDRESS),
    pageParts: (text) => content.pageParts(text, 1_000),
    pageBlocks: (text) => content.pageBlocks(text),
    parseHtml: (text) => content.parseHtml(text),
    parsePage: (text) => content.parsePage(text),
    plainName: (text) => content.plainName(text),
    readAnswer: (text) => content.readAnswer(text),
    readCountry: (text) => content.readCountry(text),
    readJsonLd: (text) => content.readJsonLd(parse(text).jsonLd),
    readMeta: (text) => content.readMeta(parse(text).described),
    readOwnListing: (text) => content.readOwnListing(readable(text)),
    mainContentTexts: (text) => content.mainContentTexts(readable(text)),
    readMetadata: (text) => {
      const { described, document } = parse(text);
      return content.readMetadata(described, resolver, [], undefined, document);
    },
    readablePage: (text) => readable(text),
    sheetSources: (text) => content.sheetSources(parse(text).document),
    shownLogo: (text) => content.shownLogo(parse(text), resolver),
    siteOf: (text) => content.siteOf(urlOf(text).href),
    sniffCharset: (text) =>
      content.sniffCharset(bytes(pageWithText(text)), `text/html; charset=${text}`),
    sniffFile: (text) => content.sniffFile(bytes(text), { contentType: text, name: text }),
    sniffKind: (text) => content.sniffKind(bytes(text), text),
    statedLogo: (text) => content.statedLogo([{ logo: text, '@type': text }], resolver),
    streetParts: (text) => content.streetParts(`12 ${text}`),
    surveyBranding: (text) => content.surveyBranding(readable(text)),
    surveyListing: (text) => content.surveyListing(parse(text).document),
    textOf: (text) => everyElement(text, content.textOf),
    textDecoder: (text) => content.textDecoder('gbk')(bytes(text)),
    textOfValue: (text) => content.textOfValue(text),
    typesOf: (text) => content.typesOf({ '@type': text }),
    usState: (text) => content.usState(text),
    walk: (text) => everyElement(text, () => undefined),
    withoutBlocks: (text) => {
      const blocks = content.pageBlocks(text);
      return content.withoutBlocks(text, blocks, new Set(blocks.slice(1)));
    },
    withoutFence: (text) => content.withoutFence(text),
    withoutFragment: (text) => content.withoutFragment(text),
    withoutThoughts: (text) => content.withoutThoughts(text),
    wordsOf: (text) => content.wordsOf(text),
    writeMarkdown: (text) => content.writeMarkdown(parse(text).document, resolver),
  },
  crawl: {
    canonicalClaim: (text) => crawl.canonicalClaim(urlOf(text), `${ADDRESS}${text}`),
    canonicalUrl: (text) => crawl.canonicalUrl(urlOf(text)),
    compilePathPatterns: (text) =>
      crawl.compilePathPatterns(['/a/*/b/**/c', '/a'.repeat(20)], ['^/(a|b)+/.*c$'])(urlOf(text)),
    directivesOf: (text) => crawl.directivesOf(text),
    discoverSitemaps: (text) => crawl.discoverSitemaps([text], new URL('https://example.com')),
    folderOf: (text) => crawl.folderOf(`/${text}`),
    headerDirectives: (text) => crawl.headerDirectives([text], 'bot'),
    isOlder: (text) => [text, `2026-11-0${text}`].map((date) => crawl.isOlder(date, '2026-11-02')),
    listsPages: (text) => crawl.listsPages(urlOf(text), text),
    namesSitemap: (text) => crawl.namesSitemap(urlOf(text)),
    pathShape: (text) => crawl.pathShape(`/${text}`),
    readRsl: (text) => [crawl.readRsl(text), crawl.readRsl(`<rsl><content url="/">${text}`)],
    readSitemap: (text) =>
      crawl.readSitemap([bytes(`<urlset><url><loc>${text}`)], { url: ADDRESS, contentType: null }),
    seedPlaces: (text) => crawl.seedPlaces(urlOf(`/${text}`), [{ url: text }], crawl.SEED_SOURCES),
    siteHostOf: (text) => crawl.siteHostOf(urlOf(text)),
    sitemapKey: (text) => crawl.sitemapKey(urlOf(text)),
    streamSitemap: (text) => crawl.readSitemap([bytes(text)], { url: ADDRESS, contentType: text }),
    trapSign: (text) => crawl.trapSign(urlOf(text), 2026),
    urlKey: (text) => crawl.urlKey(urlOf(text)),
    withoutTracking: (text) => crawl.withoutTracking(urlOf(`/?${text}`)),
  },
  egress: {
    parseRetryAfter: (text) => egress.parseRetryAfter(text, 0),
    redirectLocation: (text) => egress.redirectLocation(302, { location: text }),
  },
  fetch: {
    parseRobots: obeyRobots,
  },
  graph: {
    candidatePairs: (text) => graph.candidatePairs([everyField(text), everyField(`${text} b`)]),
    foldText: (text) => graph.foldText(text),
    groupMatches: (text) =>
      graph.groupMatches([everyField(text), everyField(`${text} b`)], [[0, 1]]),
    isMisspelling: (text) => graph.isMisspelling(text, `${text} b`),
    nameKey: (text) => graph.nameKey(text),
    nameKeys: (text) => graph.nameKeys(text),
    prepareRecord: (text) => everyField(text),
    registrableDomain: (text) => graph.registrableDomain(text),
    scoreMatch: (text) => graph.scoreMatch(recordOf(text), recordOf(`b ${text}`)),
    trigramsOf: (text) => graph.trigramsOf(text),
    wordsIn: (text) => graph.wordsIn(text),
  },
  search: {
    answerData: (text) => search.answerData([sourceWith(text)]),
    citedAnswer: (text) => [
      search.citedAnswer(text, 'some question', [sourceWith('Some words of 12 pages.')]),
      search.citedAnswer('Some words of 12 pages [1].', 'some words', [sourceWith(text)]),
    ],
    hasChallenge: (text) => search.hasChallenge(parse(text).document),
    parseAnswer: search.parseAnswer,
    textOfMarkup: search.textOfMarkup,
    textOfAnswer: (text) =>
      search.textOfAnswer({ body: bytes(text), contentType: null, url: text }),
    readSearchResults: (text) => RESULT_SHAPES.map((shape) => readResultPage(text, shape)),
    withoutOrders: (text) => search.withoutOrders(sourceWith(text)),
  },
  tech: {
    scanPage: scan,
  },
};

/** Exported functions that take no untrusted text, or one whose length is bounded where it comes in. */
export const NOT_OF_PAGES: Readonly<Record<Library, readonly string[]>> = {
  connectors: [
    ...['businessRow', 'businessSearchMs', 'creditsFor', 'csvFile', 'csvHeader', 'graphConnector'],
    ...['parseSourcesSetting', 'refineRequest'],
  ],
  company: ['enrichmentCompleteness'],
  content: [
    // A color of six digits, found by firstColor; outcomes of reading; predicates of values.
    ...['chroma', 'contentOfFile', 'hasData', 'isItem', 'isObject'],
    // Schemas and selectors of a request, bounded where they are accepted: MAX_SCHEMA_*, MAX_SELECTOR_CHARS.
    ...['compileSchema', 'createAjv', 'isStrictSchema', 'modelSchema', 'schemaProblem'],
    'selectorProblem',
    // Answers of a model that readAnswer let through: MAX_ANSWER_*.
    ...['canonicalJson', 'conform', 'mergeAnswers'],
    // Document files: read-file.growth.ts, read-docx.growth.ts, hostile-file.int-spec.ts and hostile-pdf.spec.ts.
    'readFile',
  ],
  crawl: [
    ...[
      'adaptPace',
      'requestedPauseMs',
      'discoveryBound',
      'isTransient',
      'joinDirectives',
      'pageHoldMs',
    ],
    // A date and a pattern of a request: CrawlRequest, MAX_PATH_PATTERN_CHARS.
    'parseInstant',
    ...['pathPatternProblem', 'pathPatternsProblem', 'scopePrefix', 'retryDelayMs'],
  ],
  egress: [
    // Headers and the address of a request, addresses of the operator's settings.
    ...[
      'allowRuleFor',
      'assertForwardableHeaders',
      'botIdentityOf',
      'fillJson',
      'fillUrl',
      'guardOfSettings',
      'isJsonPointer',
      'parseAllowPrivate',
      'parseEgressDeny',
      'parseOutboundProxies',
      'parseSigningKeys',
      'placeholdersIn',
      'valueAtPointer',
      'wholePlaceholder',
    ],
  ],
  fetch: [
    // Browsers, the cascade and settings.
    ...['createImpersonatingProvider', 'eligibleRungs', 'isBrowserLost', 'isRepeatable'],
    'lackOfBrowser',
    ...['playwright', 'localeOf', 'parseHttpProvider', 'parseHttpProviders', 'runCascade'],
  ],
  // Records that prepareRecord cut, and sets of their trigrams.
  graph: [
    'candidateKeys',
    'fieldRule',
    'joinSubjects',
    'scoreByTable',
    'scoreSubjects',
    'trigramSimilarity',
  ],
  // Fields of a request, bounded where they are accepted, and settings of the operator.
  search: [
    ...['bareDomain', 'effectiveQuery', 'parseHtmlSetting', 'parseSerpSetting'],
    // Of settings.
    ...['checkRules', 'parseSettingJson', 'placeholderRules', 'settingObject', 'templateRules'],
    'textField',
  ],
  tech: [
    'hardLimitMs',
    'compileFingerprints',
    'loadBuiltInFingerprints',
    'loadFingerprints',
    'mergeTechnologies',
  ],
};
