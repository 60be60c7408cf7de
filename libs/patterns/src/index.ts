export { LinearPattern, patternProblem } from './linear-pattern.js';
