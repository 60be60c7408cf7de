/**
 * Flags of every Chromium. Its only way out is `proxy`: loopback and link-local go through it too
 * (`<-loopback>`), no name is resolved by Chromium itself, WebRTC sends no datagrams past the proxy,
 * and QUIC, which would ignore it, is off.
 */
export function chromiumFlags(options: {
  readonly proxy: string;
  /** Off only where the kernel denies it, as to root in most containers. */
  readonly sandbox: boolean;
}): string[] {
  return [
    `--proxy-server=${options.proxy}`,
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-domain-reliability',
    '--disable-sync',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--no-first-run',
    ...(options.sandbox ? [] : ['--no-sandbox']),
  ];
}
