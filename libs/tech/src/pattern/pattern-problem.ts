/** Why a pattern or selector cannot be used; the text is for who wrote it and goes on after its name. */
export class PatternProblem extends Error {
  override readonly name = 'PatternProblem';
}
