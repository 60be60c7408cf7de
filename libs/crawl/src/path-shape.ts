/** How many segments of a path are compared; deeper paths are one shape. */
const MAX_SEGMENTS = 4;
/** Segments with more characters or more words are titles and ids. */
const MAX_NAME_CHARS = 24;
const MAX_WORDS = 2;
/** Longer segments have no extension: they are no names of files. */
const MAX_FILE_NAME_CHARS = 255;
const NUMBER = '0';
const NAME = '*';
const DEEPER = '**';
const ESCAPED = /%/;
const EXTENSION = /^(.+)(\.[a-z][a-z\d]{0,4})$/i;
const HASH = /^(?=.*\d)[\da-f]{8,}$/i;

/**
 * Groups addresses that are likely made by one template: `/blog/2024/a-long-title` and
 * `/blog/2025/another-long-title` both have the shape `/blog/0/*`. Numbers, hashes, titles and long names are generalised, words and
 * extensions are kept. At most some 130 characters, whatever the path; linear in its length.
 */
export function pathShape(pathname: string): string {
  const segments = pathname.split('/', MAX_SEGMENTS + 2).slice(1);
  const isDeeper = segments.length > MAX_SEGMENTS;
  const shapes = segments.slice(0, MAX_SEGMENTS).map(segmentShape);
  return `/${[...shapes, ...(isDeeper ? [DEEPER] : [])].join('/')}`;
}

function segmentShape(segment: string): string {
  const [, name = segment, extension = ''] =
    segment.length > MAX_FILE_NAME_CHARS ? [] : (EXTENSION.exec(segment) ?? []);
  return nameShape(name) + extension.toLowerCase();
}

function nameShape(name: string): string {
  const isTitle = name.length > MAX_NAME_CHARS || name.split(/[-_+,]/).length > MAX_WORDS;
  if (isTitle || ESCAPED.test(name) || HASH.test(name)) return NAME;
  return name.replace(/\d+/g, NUMBER);
}
