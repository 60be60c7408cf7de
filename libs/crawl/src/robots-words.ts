/** What a page asks of robots (meta elements and X-Robots-Tag). */
export interface RobotsWords {
  /** Not to be kept. */
  readonly noindex: boolean;
  /** Its links are not to be followed. */
  readonly nofollow: boolean;
}

export const NO_ROBOTS_WORDS: RobotsWords = { noindex: false, nofollow: false };

/** Headers are no place for more, all of them together. */
const MAX_HEADER_CHARS = 4_000;
/** Directives that have a value after a colon: what stands before the colon is no robot's name. */
const VALUED = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/**
 * Reads X-Robots-Tag headers. A name before a colon addresses all directives of its header up to the
 * next name; those for other robots are not ours.
 * @param agent product token of this robot
 */
export function headerWords(headers: readonly string[], agent: string): RobotsWords {
  let leftChars = MAX_HEADER_CHARS;
  let words = NO_ROBOTS_WORDS;
  for (const header of headers) {
    words = joinWords(words, wordsOfOne(header.slice(0, leftChars), agent));
    leftChars = Math.max(0, leftChars - header.length);
  }
  return words;
}

function wordsOfOne(header: string, agent: string): RobotsWords {
  let isForUs = true;
  let words = NO_ROBOTS_WORDS;
  for (const part of header.toLowerCase().split(',')) {
    const [, name, rest] = /^\s*([\w.-]+)\s*:(.*)$/.exec(part) ?? [];
    const isNamed = name !== undefined && !VALUED.test(name);
    if (isNamed) isForUs = name === agent.toLowerCase() || name === '*';
    if (isForUs) words = joinWords(words, directiveWords(isNamed ? (rest ?? '') : part));
  }
  return words;
}

/** Reads the content of a robots meta element. */
export function directiveWords(text: string): RobotsWords {
  const directives = text.toLowerCase().split(/[\s,;]+/);
  const isNone = directives.includes('none');
  return {
    noindex: isNone || directives.includes('noindex'),
    nofollow: isNone || directives.includes('nofollow'),
  };
}

/** Whatever any of them asks. */
export function joinWords(a: RobotsWords, b: RobotsWords): RobotsWords {
  return { noindex: a.noindex || b.noindex, nofollow: a.nofollow || b.nofollow };
}
