import { ApiError } from '@app/contracts';
import { DatabaseUnavailableError } from '@app/database';

/** Without a session the response is the sign-in page. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';

  /** @param why the reason, if there is or was a session: it has ended, or is too old for what is to be done */
  constructor(readonly why?: 'ended' | 'fresh') {
    super('not signed in');
  }
}

/** A form that was not sent from a page of this session. */
export class ForeignFormError extends Error {
  override readonly name = 'NotOurForm';

  constructor() {
    super(
      'This form was not sent from your account page, or the page was too old. Nothing was done.',
    );
  }
}

/** The error shown to the user. */
export interface ShownError {
  readonly status: number;
  readonly text: string;
  /** An internal error: the details go to the log only. */
  readonly isFault: boolean;
}

const UNAVAILABLE = 'The database is unavailable. Try again in a moment.';

export function shownError(error: unknown): ShownError {
  if (error instanceof ForeignFormError) return shown(403, error.message);
  if (error instanceof ApiError) return shown(error.row.status, error.message);
  if (error instanceof DatabaseUnavailableError) return shown(503, UNAVAILABLE);
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  if (status === 413) return shown(413, 'The request is too large.');
  if (status === 415 || status === 400)
    return shown(status, 'The request is not a form of this page.');
  return {
    status: 500,
    text: 'Internal error. Try again, or contact the operator.',
    isFault: true,
  };
}

function shown(status: number, text: string): ShownError {
  return { status, text, isFault: status === 500 };
}
