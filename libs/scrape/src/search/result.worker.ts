import { readBusinesses } from '@app/connectors';
import { readSearchResults } from '@app/search';
import { runSteps } from '../threads/run-steps.js';

/** Each takes a page of results, and returns what it says. */
const steps = { readSearchResults, readBusinesses };
export type ResultSteps = typeof steps;
export default runSteps(steps);
