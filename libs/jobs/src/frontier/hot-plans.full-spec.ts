import { describeHotPlans } from '../../test/hot-plans.js';

describe('the plans of the frontier, at 200,000 addresses', () => {
  describeHotPlans({ jobs: 200, pages: 200_000 }, 180_000);
});
