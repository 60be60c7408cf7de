import { hasMark } from './evidence.js';
import { isWallStatus, type Signature } from './signature.js';

/**
 * What the pages of bot walls have and pages behind them have not. The products put scripts, cookies
 * and headers on every page they let through as well (`/cdn-cgi/challenge-platform/scripts/jsd`,
 * `js.datadome.co`, `_Incapsula_Resource`, `__ddg1_`, `incap_ses`): none of those is here alone.
 */
export const PRODUCT_SIGNATURES: readonly Signature[] = [
  {
    signal: 'cloudflare_challenge',
    where: 'any',
    test: ({ headers }) => /\bchallenge\b/i.test(headers['cf-mitigated'] ?? ''),
  },
  {
    signal: 'cloudflare_challenge',
    where: 'small',
    test: (page) =>
      /\b_?cf_chl_opt\b|\/cdn-cgi\/challenge-platform\/\S{0,200}\/orchestrate\/|__cf_chl_/.test(
        page.code,
      ) || hasMark(page, '#cf-challenge-running', '#challenge-running', '.cf-browser-verification'),
  },
  {
    signal: 'cloudflare_challenge',
    where: 'small',
    test: ({ facts, headers, inline }) =>
      /^(?:just a moment|attention required! \| cloudflare)/i.test(facts.title) &&
      facts.visibleChars < 600 &&
      (/cloudflare/i.test(headers.server ?? '') || /\bcf[-_]/i.test(inline)),
  },
  {
    signal: 'cloudflare_block',
    where: 'small',
    test: (page) =>
      hasMark(page, '#cf-error-details', '#cf-wrapper', '.cf-error-details') &&
      /you have been blocked|used cloudflare to restrict access|you are being rate limited|banned your (?:access|ip)|\berror\b.{0,12}\b10(?:0[5-9]|1[0-5]|20)\b/i.test(
        page.words,
      ),
  },
  {
    signal: 'cloudflare_block',
    where: 'small',
    test: (page) => isWallStatus(page) && /^error code: 10\d\d$/i.test(page.facts.text),
  },
  {
    signal: 'datadome',
    where: 'any',
    test: (page) => isWallStatus(page) && page.headers['x-dd-b'] !== undefined,
  },
  {
    signal: 'datadome',
    where: 'small',
    test: (page) =>
      /\bcaptcha-delivery\.com\//i.test(page.code) ||
      (isWallStatus(page) && /\bcaptcha-delivery\.com\//i.test(page.facts.text)),
  },
  {
    signal: 'akamai_denied',
    where: 'small',
    test: ({ words }) =>
      /access denied/i.test(words) && /reference\s*#\s*\d+\.[\da-f]+\.\d+\.[\da-f]+/i.test(words),
  },
  {
    signal: 'akamai_challenge',
    where: 'small',
    test: (page) =>
      page.facts.visibleChars < 500 &&
      (/\/_sec\/(?:cp_challenge|verify)|\bbm-verify\b|triggerInterstitialChallenge/.test(
        page.code,
      ) ||
        /\bbm-verify=/.test(page.facts.metaRefresh ?? '') ||
        hasMark(page, '#sec-if-cpt-container', '#sec-cpt-if')),
  },
  {
    signal: 'perimeterx',
    where: 'small',
    test: (page) =>
      hasMark(page, '#px-captcha', '#px-captcha-wrapper', '.px-captcha-container') ||
      /\bcaptcha\.px-(?:cdn|cloud)\.net\b|\b_pxUuid\b|\/captcha\/captcha\.js\?a=c&u=/.test(
        page.code,
      ) ||
      (isWallStatus(page) && /"appId"\s*:\s*"PX\w+"/.test(page.facts.text)),
  },
  {
    signal: 'imperva',
    where: 'small',
    test: (page) =>
      /\bincapsula incident id\b/i.test(page.words) ||
      /^pardon our interruption/i.test(page.facts.title) ||
      page.facts.frameSrcs.some((src) =>
        /\/_Incapsula_Resource\?.{0,500}\bincident_id=/i.test(src),
      ),
  },
  {
    // The page that only loads the script, and the one that waits for its token.
    signal: 'imperva',
    where: 'small',
    test: ({ facts, code, inline }) =>
      facts.visibleChars < 60 &&
      facts.images === 0 &&
      (/\/_Incapsula_Resource\?/i.test(code) ||
        /\bonProtectionInitialized\b|\breese84\b/.test(inline)) &&
      facts.scripts <= 4,
  },
  {
    signal: 'aws_waf',
    where: 'any',
    test: ({ headers }) => /^(?:challenge|captcha)$/i.test(headers['x-amzn-waf-action'] ?? ''),
  },
  {
    signal: 'aws_waf',
    where: 'small',
    test: ({ inline, facts }) =>
      facts.visibleChars < 800 &&
      /\bgokuProps\b|\bAwsWafIntegration\s*\.\s*(?:checkForceRefresh|saveReferrer)|\bCaptchaScript\s*\.\s*renderCaptcha/.test(
        inline,
      ),
  },
  {
    signal: 'cloudfront_blocked',
    where: 'small',
    test: ({ words }) => /request blocked\b/i.test(words) && /\bcloudfront\b/i.test(words),
  },
  {
    signal: 'kasada',
    where: 'small',
    test: ({ facts, scriptSrcs, inline }) =>
      facts.visibleChars < 60 &&
      (/\/[\da-f-]{36}\/[\da-f-]{36}\/(?:ips|p)\.js/i.test(scriptSrcs) ||
        /\bwindow\.KPSDK\s*=/.test(inline)),
  },
  {
    signal: 'sucuri',
    where: 'small',
    test: ({ headers, facts, inline }) =>
      headers['x-sucuri-block'] !== undefined ||
      /\bsucuri website firewall\b/i.test(facts.title) ||
      /\bsucuri_cloudproxy_js\b/.test(inline),
  },
  {
    signal: 'ddos_guard',
    where: 'small',
    test: ({ facts, code }) =>
      /^ddos-guard\b/i.test(facts.title) ||
      (facts.visibleChars < 400 &&
        /\bcheck\.ddos-guard\.net\/|\/\.well-known\/ddos-guard\/(?:js-)?challenge/i.test(code)),
  },
  {
    signal: 'queue_it',
    where: 'any',
    test: ({ host }) => host.endsWith('.queue-it.net'),
  },
  {
    signal: 'queue_it',
    where: 'small',
    test: (page) =>
      /\bqueueViewModel\b/.test(page.inline) ||
      (/\bqueue-it\.net\b/.test(page.code) && hasMark(page, '#queue-it_log', '#lbHeaderH2')),
  },
  {
    signal: 'waiting_room',
    where: 'small',
    test: ({ facts, words }) =>
      facts.visibleChars < 800 &&
      (facts.scripts > 0 || facts.metaRefresh !== null) &&
      /\b(?:you are (?:now )?in (?:the )?(?:line|queue|a virtual waiting room)|your estimated wait time is)\b/i.test(
        words,
      ),
  },
  {
    signal: 'vercel_checkpoint',
    where: 'any',
    test: ({ headers }) => /^(?:challenge|deny)$/i.test(headers['x-vercel-mitigated'] ?? ''),
  },
  {
    signal: 'vercel_checkpoint',
    where: 'small',
    test: ({ facts }) => /^vercel security checkpoint/i.test(facts.title),
  },
  {
    signal: 'f5_asm',
    where: 'small',
    test: ({ words, noscript, code, facts }) =>
      /the requested url was rejected\b.{0,60}\badministrator/i.test(words) ||
      /enable javascript to view the page content\b.{0,20}\bsupport id/i.test(words + noscript) ||
      (facts.visibleChars < 200 && /\/TSPD\/|\bbobcmn\b/.test(code)),
  },
  {
    signal: 'radware',
    where: 'small',
    test: ({ host, words, code }) =>
      host === 'validate.perfdrive.com' ||
      /\bradware (?:bot manager|captcha) /i.test(words) ||
      /\bvalidate\.perfdrive\.com\b|\b__uzdbm_/.test(code),
  },
  {
    signal: 'wordfence',
    where: 'small',
    test: (page) =>
      isWallStatus(page) &&
      /\bgenerated by wordfence\b|\byour access to this (?:site|service) has been (?:temporarily )?limited\b/i.test(
        page.words,
      ),
  },
  {
    signal: 'mod_security',
    where: 'small',
    test: (page) => isWallStatus(page) && /\bmod_?security\b/i.test(page.words),
  },
  {
    signal: 'anubis',
    where: 'small',
    test: (page) =>
      /\.within\.website\/x\/cmd\/anubis\//.test(page.code) ||
      hasMark(page, '#anubis_challenge', '#anubis_version'),
  },
  {
    signal: 'fastly_challenge',
    where: 'small',
    test: ({ facts, code }) =>
      facts.visibleChars < 600 &&
      (/^client challenge$/i.test(facts.title) || /\/_fs-ch-\w+\//.test(code)),
  },
  {
    signal: 'imunify360',
    where: 'small',
    test: ({ facts, inline, words }) =>
      facts.visibleChars < 300 &&
      (/\bwsidchk\b/.test(inline) ||
        /^one moment, please[\s\S]*request is being verified/i.test(words)),
  },
  {
    signal: 'siteground_captcha',
    where: 'any',
    test: ({ headers, facts, path }) =>
      /^challenge$/i.test(headers['sg-captcha'] ?? '') ||
      path.startsWith('/.well-known/sgcaptcha/') ||
      (facts.metaRefresh ?? '').startsWith('/.well-known/sgcaptcha/'),
  },
  {
    signal: 'litespeed_captcha',
    where: 'small',
    test: ({ code }) => /\/\.lsrecap\/recaptcha\b/.test(code),
  },
  {
    signal: 'distil',
    where: 'small',
    test: (page) => hasMark(page, '#distilIdentificationBlock', '#distilCaptchaForm'),
  },
  {
    signal: 'amazon_captcha',
    where: 'small',
    test: ({ facts }) =>
      facts.formActions.some((action) => action.includes('/errors/validateCaptcha')),
  },
  {
    signal: 'alibaba_punish',
    where: 'small',
    test: ({ code, path, facts }) =>
      facts.visibleChars < 400 && /\/_____tmd_____\/punish|\bx5secdata\b/.test(code + path),
  },
  {
    signal: 'yandex_smartcaptcha',
    where: 'small',
    test: ({ path, facts }) =>
      path.startsWith('/showcaptcha') ||
      facts.formActions.some((action) => /\/checkcaptcha(?:fast)?\b/.test(action)),
  },
  {
    signal: 'baidu_captcha',
    where: 'small',
    test: ({ facts, host }) =>
      host === 'wappass.baidu.com' || facts.title.startsWith('百度安全验证'),
  },
  {
    signal: 'google_sorry',
    where: 'small',
    test: (page) =>
      page.path.startsWith('/sorry/') ||
      /our systems have detected unusual traffic from your computer network/i.test(page.words),
  },
  {
    signal: 'reddit_block',
    where: 'small',
    test: (page) =>
      isWallStatus(page) &&
      /\bwhoa there, pardner\b|\bblocked by network security\b/i.test(page.words),
  },
  {
    signal: 'qrator',
    where: 'small',
    test: ({ facts, code }) => facts.visibleChars < 200 && code.includes('/__qrator/'),
  },
];
