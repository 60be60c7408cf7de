import type { Deadline } from '@app/contracts';
import type { ContentUse } from '@app/uses';

/** A page as the rules of its site see it. */
export interface RobotsQuestion {
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  readonly ignoreRobotsTxt: boolean;
  /** A page whose site does not allow this use is refused. @default none */
  readonly respectUse?: ContentUse;
}

/** How long an unreadable robots.txt is remembered as such; a page waits as long before its retry. */
export const ROBOTS_RETRY_MS = 5_000;
