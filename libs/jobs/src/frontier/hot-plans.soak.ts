import { describeHotPlans } from '../../test/hot-plans.js';

/** `node scripts/test.mjs --suite soak libs/jobs`: some minutes, nearly all of them to fill the tables. */
describe('the plans of the frontier, at 5,000,000 addresses', () => {
  describeHotPlans({ jobs: 2_000, pages: 5_000_000 }, 1_800_000);
});
