import { ApiError } from '@app/contracts';
import { StoreUnavailableError } from '@app/database';

/** Nobody is signed in: the answer is the page to sign in. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';

  /** @param why there was a session, which has ended */
  constructor(readonly why?: 'ended') {
    super('not signed in');
  }
}

/** A form that did not come from a page of this session. */
export class NotOurForm extends Error {
  override readonly name = 'NotOurForm';

  constructor() {
    super(
      'This form was not sent from your account page, or the page was too old. Nothing was done.',
    );
  }
}

/** What a person is told of an error. */
export interface ToldError {
  readonly status: number;
  readonly text: string;
  /** A fault of ours: what happened goes to the log only. */
  readonly isFault: boolean;
}

const UNAVAILABLE = 'The database does not answer just now. Try again in a moment.';

export function toldError(error: unknown): ToldError {
  if (error instanceof NotOurForm) return told(403, error.message);
  if (error instanceof ApiError) return told(error.row.status, error.message);
  if (error instanceof StoreUnavailableError) return told(503, UNAVAILABLE);
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  if (status === 413) return told(413, 'What was sent is larger than any form of this page.');
  if (status === 415 || status === 400) return told(status, 'This is no form of this page.');
  return { status: 500, text: 'Something went wrong on our side.', isFault: true };
}

function told(status: number, text: string): ToldError {
  return { status, text, isFault: status === 500 };
}
