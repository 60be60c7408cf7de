import { hash } from 'node:crypto';

/**
 * The id of one URL within a call: the same for every attempt, and different for any other call or URL.
 * A UUIDv8 (RFC 9562, section 5.8) of a SHA-256; it contains no timestamp.
 */
export function itemId(chargeId: string, href: string): string {
  const bytes = hash('sha256', `${chargeId} ${href}`, 'buffer').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [0, 8, 12, 16, 20]
    .map((start, index, starts) => hex.slice(start, starts[index + 1]))
    .join('-');
}
