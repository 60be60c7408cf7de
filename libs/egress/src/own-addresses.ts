import os from 'node:os';
import { embeddedIpv4 } from './address-table.js';
import { type AddressBytes, canonicalAddress, formatAddress, parseAddress } from './ip-address.js';

/** The form of `os.networkInterfaces()`, as far as it is read. */
export type NetworkInterfaces = Readonly<
  Record<string, readonly { readonly address: string }[] | undefined>
>;

export interface OwnAddressesOptions {
  /** @default os.networkInterfaces */
  readonly read?: () => NetworkInterfaces;
  /** Monotonic clock. @default performance.now */
  readonly nowMs?: () => number;
}

/** Interfaces change rarely; reading them takes a system call for each. */
export const OWN_ADDRESSES_MAX_AGE_MS = 2_000;

/**
 * The addresses of this machine's network interfaces. A server that listens on all of them responds on
 * a public one from inside as well, past every firewall in front of it. Addresses that only the kernel
 * or a router knows (a NAT in front, `ip route add local`) are not seen: EGRESS_DENY names those.
 */
export class OwnAddresses {
  private readonly read: () => NetworkInterfaces;
  private readonly nowMs: () => number;
  private addresses: ReadonlySet<string> = new Set();
  private readAtMs = -Infinity;

  constructor({ read, nowMs }: OwnAddressesOptions = {}) {
    this.read = read ?? os.networkInterfaces;
    this.nowMs = nowMs ?? (() => performance.now());
  }

  /** Also true for an IPv6 form that carries an own IPv4 address. */
  has(bytes: AddressBytes): boolean {
    const own = this.current();
    if (own.has(formatAddress(bytes))) return true;
    const inner = embeddedIpv4(bytes);
    return inner !== null && own.has(formatAddress(inner));
  }

  private current(): ReadonlySet<string> {
    const nowMs = this.nowMs();
    if (nowMs - this.readAtMs >= OWN_ADDRESSES_MAX_AGE_MS) {
      this.readAtMs = nowMs;
      this.addresses = new Set(
        Object.values(this.read()).flatMap((one = []) => one.flatMap(canonical)),
      );
    }
    return this.addresses;
  }
}

/** Link-local addresses may come with a zone (`fe80::1%eth0`), which is no part of the address. */
function canonical({ address }: { readonly address: string }): string[] {
  const [text = ''] = address.split('%');
  return parseAddress(text) === null ? [] : [canonicalAddress(text) ?? text];
}
