import type { FileProblem } from '@app/contracts';

/**
 * A file that cannot be read. The message goes on from the name of its kind, for people: `is damaged: a part is missing`.
 */
export class UnreadableFile extends Error {
  constructor(
    readonly problem: FileProblem,
    message: string,
  ) {
    super(message);
  }
}
