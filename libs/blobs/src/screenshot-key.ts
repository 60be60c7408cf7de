/** Screenshots of pages. */
export const SCREENSHOT_FOLDER = 'screenshots/';

/** Folder of one tenant's screenshots of one day (UTC). */
export function screenshotFolder(tenantId: string, day: string): string {
  return `${SCREENSHOT_FOLDER}${day}/${tenantId}/`;
}

/** The day comes first: in a sorted list, expired ones come before all others. */
export function screenshotKey(
  tenantId: string,
  image: { readonly id: string; readonly extension: string; readonly madeAt: Date },
): string {
  const day = image.madeAt.toISOString().slice(0, 10);
  return `${screenshotFolder(tenantId, day)}${image.id}.${image.extension}`;
}

/** Day of a screenshot's key; null for other keys. */
export function dayOfScreenshot(key: string): string | null {
  return /^screenshots\/(\d{4}-\d{2}-\d{2})\//.exec(key)?.[1] ?? null;
}
