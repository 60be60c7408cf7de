import { accessSync, constants } from 'node:fs';

/** Where distributions put Chromium, best first. */
const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The Chromium to use: the given path, else one found on the machine, else null. */
export function findChromium(given: string | undefined): string | null {
  if (given !== undefined) return given;
  return USUAL_PLACES.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not ours to run: try the next place.
    return false;
  }
}
