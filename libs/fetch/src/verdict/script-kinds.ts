import type { PageFacts } from '@app/contracts';

/**
 * Scripts that add nothing to read: they count, request consent, serve advertisements, chat, or are
 * libraries that do nothing until called.
 */
const BYSTANDER =
  /googletagmanager\.com|google-analytics\.com|\/gtag\/|\/analytics(?:[-.]|\/)|googlesyndication|doubleclick|adsbygoogle|connect\.facebook\.net|hotjar|clarity\.ms|segment\.(?:com|io)|plausible|matomo|piwik|umami|statcounter|newrelic|nr-data|sentry|bugsnag|datadoghq|cookiebot|onetrust|cookielaw|cookieconsent|osano|usercentrics|didomi|trustarc|quantcast|intercom|zendesk|hubspot|hs-scripts|crisp\.chat|tawk\.to|drift\.com|livechat|cloudflareinsights|\/cdn-cgi\/|rocket-loader|email-decode|polyfill\.io|\bjquery\b|jquery[.-]|\bbootstrap\b|modernizr|html5shiv|respond(?:\.min)?\.js|fontawesome|use\.typekit|webfont|recaptcha|hcaptcha|turnstile|captcha-delivery|datadome|perimeterx|px-cdn|_Incapsula_Resource|wp-emoji|js\.stripe\.com|paypal|platform\.twitter|mathjax|prism(?:\.min)?\.js|highlight/i;

/** How bundlers name what they make: an application's own code. */
const BUNDLE =
  /\/_next\/static\/|\/_nuxt\/|\/static\/js\/|\/_app\/immutable\/|\/webpack-runtime|(?:^|[/.])(?:main|app|application|bundle|vendors?|vendor~\w{1,100}|runtime(?:~main)?|polyfills|chunk-vendors|chunk-\w{6,100}|client|entry|umi|flutter(?:_bootstrap)?|main\.dart|index)(?:[.~_-][\w.~-]{0,200})?\.m?js(?:[?#]|$)|\/assets\/[\w.-]+-[\w-]{8}\.js/i;

/** Inline code that starts an application or holds its data. */
const BOOT_CODE =
  /\b__NEXT_DATA__\b|\bself\.__next_f\b|\bwindow\.__NUXT__|\b__INITIAL_STATE__\b|\b__APOLLO_STATE__\b|\b__PRELOADED_STATE__\b|\bwebpackJsonp|\bwebpackChunk|\bReactDOM\b|\bcreateRoot\(|\.mount\(['"]#|\bnew Vue\(|\bcreateApp\(|\bplatformBrowser|\binnerHTML\s*=|\bdocument\.write\(|\bappendChild\(|\binsertAdjacentHTML\(|\bSystem\.import\(|\bimport\(['"]|^\s*import[\s{*]/;

/** An inline script that goes somewhere else and does nothing beside. */
const MOVES_ON =
  /\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:replace|assign|reload)\(|\bdocument\.forms?\b[^;]{0,40}\.submit\(|\.submit\(\)/;

export interface ScriptKinds {
  /** External scripts that may bring content. */
  readonly own: number;
  /** Of them, those named as bundlers name them. */
  readonly bundles: number;
  /** Inline code other than trackers' snippets. */
  readonly hasOwnCode: boolean;
  /** Inline code starts an application or writes into the page. */
  readonly boots: boolean;
  /** Inline code leaves the page. */
  readonly movesOn: boolean;
}

export function scriptKindsOf({ scriptSrcs, inlineScripts }: PageFacts): ScriptKinds {
  const own = scriptSrcs.filter((src) => !BYSTANDER.test(src));
  const code = inlineScripts.filter((text) => !INLINE_BYSTANDER.test(text.slice(0, 500)));
  return {
    own: own.length,
    bundles: own.filter((src) => BUNDLE.test(src)).length,
    hasOwnCode: code.length > 0,
    boots: code.some((text) => BOOT_CODE.test(text)),
    movesOn: code.some((text) => MOVES_ON.test(text)),
  };
}

/** Snippets that load trackers write script elements too. */
const INLINE_BYSTANDER =
  /googletagmanager|gtm\.start|GoogleAnalyticsObject|google-analytics|\bgtag\(|fbq\(|hotjar|_paq|clarity|adsbygoogle|__CF\$cv\$params|ddjskey|_pxAppId|NREUM|intercomSettings|_hsq|plausible|__tcfapi/;
