// Parts of a browser's protection, each with how to leave it out and the tricks that must then get
// through. Nothing of the product is switched: the probe launches a Chromium that lacks the part.
//
// Second locks, whose lack alone lets nothing through: --host-resolver-rules (the proxy and the
// WebRTC policy leave no name to resolve), --dns-prefetch-disable, --disable-quic, --no-pings,
// WebTransport off (all would go through the proxy or nowhere), service workers blocked.

const same = (value) => value;
const whole = { flags: same, context: same, guard: same, env: {} };

const isFlag = (names) => (flag) => names.some((name) => flag.startsWith(`--${name}`));
const withoutFlags =
  (...names) =>
  (flags) =>
    flags.filter((flag) => !isFlag(names)(flag));
/** Parses and dials whatever it is given. */
function openGuard(_guard, resolver) {
  return {
    parse: (text, base) => new URL(text, base),
    confirm: () => undefined,
    vet: async (url) => {
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const isAddress = /^[\d.]+$|:/.test(host);
      return {
        addresses: isAddress ? [host] : await resolver.resolve(host),
        port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
      };
    },
  };
}

const WEBRTC = ['force-webrtc-ip-handling-policy', 'webrtc-ip-handling-policy'];

/** Name → part left out; `hits`: what a canary or the name server must then see. */
export const browserMutants = {
  'the guard in the proxy': { guard: openGuard, only: ['S386', 'S435'], hits: /^tcp 127/ },
  'loopback through the proxy': {
    flags: withoutFlags('proxy-bypass-list'),
    // Playwright adds it too.
    env: { PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK: '1' },
    context: (options) => ({ ...options, proxy: { server: options.proxy.server } }),
    only: ['S386', 'S435', 'S402'],
    hits: /^tcp (127|::1)/,
  },
  'the proxy itself': {
    flags: withoutFlags('proxy-server', 'proxy-bypass-list', 'host-resolver-rules'),
    context: ({ proxy: _, ...options }) => options,
    only: ['S386', 'B22'],
    hits: /^tcp 10\.0\.0\.5|^dns site/,
  },
  'a proxy port for each context': {
    context: ({ proxy: _, ...options }) => options,
    only: ['S436'],
    hits: null, // nothing leaks: the browser's own proxy port refuses what it should load
  },
  'no datagrams past the proxy': {
    flags: withoutFlags(...WEBRTC),
    only: ['B27'],
    hits: /^udp 10\.0\.0\.5 3478/,
  },
  // Makes requests of its own; the proxy port it was launched with refuses them all.
  'its silence': {
    flags: withoutFlags(
      ...['disable-background-networking', 'disable-component-update', 'disable-default-apps'],
      ...['disable-domain-reliability', 'disable-sync', 'disable-extensions', 'disable-features'],
      ...['disable-client-side-phishing-detection', 'safebrowsing-disable-auto-update'],
    ),
    only: ['S436'],
    hits: null,
  },
  'no names of its own, where datagrams pass': {
    flags: withoutFlags('host-resolver-rules', ...WEBRTC),
    only: ['B28'],
    hits: /^dns secret\.internal/,
  },
};

/** The mutant that lacks this part; none is lacking when no part is named. */
export function mutantNamed(part) {
  if (!part) return whole;
  const mutant = browserMutants[part];
  if (mutant === undefined) throw new Error(`No part is called "${part}"`);
  return { ...whole, ...mutant };
}
