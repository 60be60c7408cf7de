import { Deadline } from '@app/contracts';

/** Longer than any case, and the time of no other timer. */
const HELD_MS = 600_001;

export interface HeldDeadline {
  readonly deadline: Deadline;
  /** What the timer of the request does when its time has come. */
  pass(): void;
}

/** The deadline of the next request: passes when the test says so, however busy the machine is. */
export function holdDeadline(): HeldDeadline {
  const timers = jest.spyOn(globalThis, 'setTimeout');
  return {
    deadline: Deadline.after(HELD_MS, () => 0),
    pass() {
      const timer = timers.mock.calls.find(([, ms]) => ms === HELD_MS);
      timers.mockRestore();
      if (timer === undefined) throw new Error('no request has a timer for this deadline');
      timer[0]();
    },
  };
}
