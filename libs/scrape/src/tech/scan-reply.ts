import { TECH_REASONS, type ScanReply, type TechReason, type Technology } from '@app/tech';

const REASONS: ReadonlySet<unknown> = new Set(TECH_REASONS);

/** The only place that parses a message of the `tech-scan` queue into a reply; null: it is none. */
export function parseScanReply(value: unknown): ScanReply | null {
  const reply = value as Partial<ScanReply> | null;
  const isReply =
    Array.isArray(reply?.technologies) &&
    reply.technologies.every(isTechnology) &&
    Array.isArray(reply.reasons) &&
    typeof reply.scannedBytes === 'number' &&
    typeof reply.durationMs === 'number';
  if (!isReply) return null;
  // A scanner of a later version may have reasons unknown here.
  const reasons = (reply.reasons as readonly unknown[]).filter(isReason);
  return { ...(reply as ScanReply), reasons };
}

function isReason(value: unknown): value is TechReason {
  return REASONS.has(value);
}

function isTechnology(value: unknown): value is Technology {
  const technology = value as Partial<Technology> | null;
  return (
    typeof technology?.name === 'string' &&
    typeof technology.category === 'string' &&
    typeof technology.confidence === 'number'
  );
}
