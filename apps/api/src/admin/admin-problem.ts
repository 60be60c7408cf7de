/** What was asked for cannot be done; told to the operator in one line, without a stack. */
export class AdminProblem extends Error {
  override readonly name = 'AdminProblem';
}

/** The command line itself is wrong. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
