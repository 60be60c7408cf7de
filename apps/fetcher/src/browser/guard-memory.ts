const MIB = 1024 ** 2;
/** An idle browser process uses 150 MiB; a screenshot of the largest size adds about 100 briefly. */
export const MAX_BROWSER_PROCESS_MIB = 1_024;
/** Most of it is for the script heap; the rest are pages and images in transit. */
export const MAX_BROWSER_HEAP_MIB = 512;
const CHECK_EVERY_MS = 250;

/**
 * Ends a browser process that exceeds its memory limit: its successor starts empty.
 * @param residentBytes what this process holds
 */
export function guardMemory(
  onTooMuch: (problem: Error) => void,
  maxMiB = MAX_BROWSER_PROCESS_MIB,
  residentBytes: () => number = process.memoryUsage.rss,
): void {
  const check = setInterval(() => {
    const heldMiB = Math.round(residentBytes() / MIB);
    if (heldMiB <= maxMiB) return;
    clearInterval(check);
    onTooMuch(new Error(`it used ${heldMiB} MiB of memory; the limit is ${maxMiB} MiB`));
  }, CHECK_EVERY_MS);
  check.unref();
}
