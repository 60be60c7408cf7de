/** What a page asks of robots (meta elements and X-Robots-Tag). */
export interface RobotsDirectives {
  /** Not to be kept. */
  readonly noindex: boolean;
  /** Its links are not to be followed. */
  readonly nofollow: boolean;
}

export const NO_DIRECTIVES: RobotsDirectives = { noindex: false, nofollow: false };

/** Bound of all headers together. */
const MAX_HEADER_CHARS = 4_000;
/** Directives that have a value after a colon: the name before the colon is no robot's. */
const VALUED = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/**
 * Reads X-Robots-Tag headers. A name before a colon addresses all directives of its header up to
 * the next name; those for other robots are skipped.
 * @param agent product token of this robot
 */
export function headerDirectives(headers: readonly string[], agent: string): RobotsDirectives {
  let leftChars = MAX_HEADER_CHARS;
  let directives = NO_DIRECTIVES;
  for (const header of headers) {
    directives = joinDirectives(directives, directivesOfOne(header.slice(0, leftChars), agent));
    leftChars = Math.max(0, leftChars - header.length);
  }
  return directives;
}

function directivesOfOne(header: string, agent: string): RobotsDirectives {
  let isForUs = true;
  let directives = NO_DIRECTIVES;
  for (const part of header.toLowerCase().split(',')) {
    const [, name, rest] = /^\s*([\w.-]+)\s*:(.*)$/.exec(part) ?? [];
    const isNamed = name !== undefined && !VALUED.test(name);
    if (isNamed) isForUs = name === agent.toLowerCase() || name === '*';
    if (isForUs)
      directives = joinDirectives(directives, directivesOf(isNamed ? (rest ?? '') : part));
  }
  return directives;
}

/** Reads the content of a robots meta element. */
export function directivesOf(text: string): RobotsDirectives {
  const directives = text.toLowerCase().split(/[\s,;]+/);
  const isNone = directives.includes('none');
  return {
    noindex: isNone || directives.includes('noindex'),
    nofollow: isNone || directives.includes('nofollow'),
  };
}

/** The union of both. */
export function joinDirectives(a: RobotsDirectives, b: RobotsDirectives): RobotsDirectives {
  return { noindex: a.noindex || b.noindex, nofollow: a.nofollow || b.nofollow };
}
