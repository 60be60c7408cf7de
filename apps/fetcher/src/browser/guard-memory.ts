const MIB = 1024 ** 2;
/** A quiet browser process has 150 MiB; a screenshot of the largest size adds some 100 for a moment. */
export const MAX_BROWSER_PROCESS_MIB = 1_024;
/** Most of its script heap: what is beside it are pages and pictures on their way. */
export const MAX_BROWSER_HEAP_MIB = 512;
const LOOK_EVERY_MS = 250;

/** Ends a browser process that holds more than it may: its successor starts empty. */
export function guardMemory(
  onTooMuch: (problem: Error) => void,
  maxMiB = MAX_BROWSER_PROCESS_MIB,
): void {
  const look = setInterval(() => {
    const heldMiB = Math.round(process.memoryUsage.rss() / MIB);
    if (heldMiB <= maxMiB) return;
    clearInterval(look);
    onTooMuch(new Error(`it held ${heldMiB} MiB of memory, more than the ${maxMiB} it may`));
  }, LOOK_EVERY_MS);
  look.unref();
}
