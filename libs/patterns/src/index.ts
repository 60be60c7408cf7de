export {
  escaped,
  LinearPattern,
  LinearUnion,
  patternProblem,
  readPattern,
  type UnionTexts,
} from './linear-pattern.js';
