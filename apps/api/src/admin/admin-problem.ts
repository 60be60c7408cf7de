/** The request cannot be fulfilled; printed to the operator as one line, without a stack. */
export class AdminProblem extends Error {
  override readonly name = 'AdminProblem';
}

/** The command line itself is invalid. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
