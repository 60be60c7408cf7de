import { accessSync, constants } from 'node:fs';
import { playwright } from './playwright.js';

/**
 * Where distributions put Chromium, best first: the headless shell needs a third less CPU a page,
 * and the program itself rather than Debian's wrapper script, a process less per browser.
 */
const USUAL_PLACES = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chrome-headless-shell',
  '/headless-shell/headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/opt/homebrew/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The Chromium to use: the given path, else one found on the machine, else null. */
export function findChromium(given: string | undefined): string | null {
  if (given !== undefined) return given;
  const found = USUAL_PLACES.find(isExecutable);
  if (found !== undefined) return found;
  const own = playwright().chromium.executablePath();
  return isExecutable(own) ? own : null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Missing, or not executable by this user: try the next place.
    return false;
  }
}
