/** Pictures of pages. */
export const SCREENSHOT_FOLDER = 'screenshots/';

/** Folder of the pictures of one tenant of one day (UTC). */
export function screenshotFolder(tenantId: string, day: string): string {
  return `${SCREENSHOT_FOLDER}${day}/${tenantId}/`;
}

/** The day comes first: listed in order, what has expired stands before all that has not. */
export function screenshotKey(
  tenantId: string,
  image: { readonly id: string; readonly extension: string; readonly madeAt: Date },
): string {
  const day = image.madeAt.toISOString().slice(0, 10);
  return `${screenshotFolder(tenantId, day)}${image.id}.${image.extension}`;
}

/** Day of a screenshot's key; null for a key that is none. */
export function dayOfScreenshot(key: string): string | null {
  return /^screenshots\/(\d{4}-\d{2}-\d{2})\//.exec(key)?.[1] ?? null;
}
