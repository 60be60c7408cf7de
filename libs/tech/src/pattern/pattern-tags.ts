/** A pattern text taken apart at its `\;`. */
export interface TaggedPattern {
  readonly source: string;
  /** Template of the version, null without one. */
  readonly version: string | null;
  /** Percent, 1 to 100. */
  readonly confidence: number;
}

/** Reads `regex\;version:\1\;confidence:50`. Tags of other names are ignored, as other readers do. */
export function readTags(text: string): TaggedPattern {
  const [source = '', ...tags] = text.split('\\;');
  const valueOf = (name: string): string | undefined =>
    tags.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1);
  return {
    source,
    version: valueOf('version') || null,
    confidence: percent(valueOf('confidence')),
  };
}

function percent(text: string | undefined): number {
  const value = Number(text ?? 100);
  return Number.isFinite(value) ? Math.min(100, Math.max(1, Math.round(value))) : 100;
}
