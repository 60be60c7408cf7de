const LLMS_FILE = /\/llms(?:-[\w-]{0,99})?\.txt$/i;

/**
 * Of URLs that a page names as `alternate` of the type `text/markdown` the first that is the page itself, and not a list of
 * pages (llms.txt), which some name so.
 */
export function ownMarkdownUrl(urls: readonly (string | undefined)[]): string | undefined {
  return urls.find((url) => url !== undefined && !LLMS_FILE.test(new URL(url).pathname));
}
