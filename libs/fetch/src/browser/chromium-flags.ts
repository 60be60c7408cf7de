/** Features that phone home, keep memory for a user who is not there, or talk past the proxy. */
const DISABLED_FEATURES = [
  'AimEnabled',
  'AutofillServerCommunication',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'BackForwardCache',
  'CertificateTransparencyComponentUpdater',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'InterestFeedContentSuggestions',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationGuideModelDownloading',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'Prerender2',
  // A new frame host for every document, which doubles the CPU of a navigation.
  'RenderDocument',
  'SegmentationPlatform',
  'ThirdPartyStoragePartitioning',
  'Translate',
  // Joins a multicast group: packets that pass no proxy.
  'WebRtcHideLocalIpsWithMdns',
];

/**
 * Every flag of every Chromium: Playwright's own list is not used, because it turns off what
 * protects against hostile pages (pop-up blocking, IPC flood protection) and turns on a software
 * GL.
 *
 * The only way out is the proxy: loopback and link-local go through it too (`<-loopback>`), no name
 * is resolved by Chromium itself, WebRTC sends no datagrams past it, and QUIC, which would ignore
 * it, is off. The proxy named here refuses everything; each context has its own proxy port.
 */
export function chromiumFlags(options: {
  /** Of the proxy for requests the browser itself makes. */
  readonly refusingUrl: string;
  readonly userDataDir: string;
  readonly ownerFlag: string;
  /** Off only where the kernel denies it, as to root in most containers. */
  readonly isSandboxed: boolean;
  /**
   * What everything says that is no page: shared workers, above all. Null: as Chromium does,
   * headless.
   */
  readonly userAgent?: string | null;
  /** Cap on one page's script heap: a page that eats memory ends alone. */
  readonly maxHeapMiB: number;
}): string[] {
  return [
    ...controlFlags(options),
    ...networkFlags(options.refusingUrl),
    ...quietFlags(),
    ...pageFlags(options.maxHeapMiB),
    ...(options.userAgent ? [`--user-agent=${options.userAgent}`] : []),
    ...(options.isSandboxed ? [] : ['--no-sandbox']),
  ];
}

/** A pipe, never a port: any process that reaches a debugging port owns the browser. */
function controlFlags(options: { userDataDir: string; ownerFlag: string }): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${options.userDataDir}`,
    options.ownerFlag,
    '--no-startup-window',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-service-autorun',
    '--password-store=basic',
    '--use-mock-keychain',
    '--disable-search-engine-choice-screen',
    '--disable-infobars',
  ];
}

function networkFlags(refusingUrl: string): string[] {
  return [
    `--proxy-server=${refusingUrl}`,
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--dns-prefetch-disable',
    '--no-pings',
  ];
}

function quietFlags(): string[] {
  return [
    '--disable-background-networking',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-client-side-phishing-detection',
    '--disable-component-extensions-with-background-pages',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-field-trial-config',
    '--disable-stack-profiler',
    '--disable-sync',
    '--metrics-recording-only',
    '--safebrowsing-disable-auto-update',
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
    '--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies',
  ];
}

function pageFlags(maxHeapMiB: number): string[] {
  return [
    // Containers give /dev/shm 64 MiB by default, and renderers wedge when it is full.
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--disable-software-rasterizer',
    '--disable-3d-apis',
    '--disable-back-forward-cache',
    // Pages in the background are as much at work as the one in front.
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-blink-features=AutomationControlled,WebTransport',
    '--disable-hang-monitor',
    '--disable-prompt-on-repost',
    '--disable-print-preview',
    '--disable-speech-api',
    '--deny-permission-prompts',
    // The headless shell opens no pop-up at all; elsewhere each is closed once it is there.
    '--block-new-web-contents',
    '--accept-lang=en-US,en',
    '--lang=en-US',
    '--allow-pre-commit-input',
    '--force-color-profile=srgb',
    '--hide-scrollbars',
    '--mute-audio',
    '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
    `--js-flags=--max-old-space-size=${maxHeapMiB}`,
  ];
}
