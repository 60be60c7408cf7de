/** The `code` of a system or library error, such as `ENOENT` or `NOT_FOUND`; `fallback` when it has none. */
export function errorCode(error: unknown, fallback = ''): string {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : fallback;
}
