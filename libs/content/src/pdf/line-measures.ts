import { type Line } from './lines.js';

/** Where reading starts: the left edge, or minus the right one where lines run leftwards. */
export const readingStart = (line: Line): number => (line.isRtl ? -line.x1 : line.x0);
export const readingEnd = (line: Line): number => (line.isRtl ? -line.x0 : line.x1);

export function quantileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Usual distance of lines that follow each other. */
export function usualLeading(lines: readonly Line[]): number {
  const steps: number[] = [];
  for (let at = 1; at < lines.length; at++) {
    const [above, line] = [lines[at - 1], lines[at]];
    if (above === undefined || line === undefined) continue;
    const step = line.y - above.y;
    if (step > line.size * 0.7 && step < line.size * 2.2) steps.push(step);
  }
  // The lower part: gaps between paragraphs are steps as well, and there may be many.
  return quantileOf(steps, 0.3);
}
