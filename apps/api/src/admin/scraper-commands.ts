import { recordAdminAct, setLiveMapsIn } from '@app/accounts';
import { UsageProblem } from './admin-problem.js';
import type { AdminContext, Command, Input, Report } from './command.js';
import { accountOf } from './find-account.js';

export const SCRAPER_COMMANDS = {
  'scrapers maps': {
    args: ['tenant', 'on|off'],
    options: [],
    help: 'switches live rows of the maps scraper on or off for an account on the Free plan',
    run: setLiveMaps,
  },
} as const satisfies Record<string, Command>;

async function setLiveMaps({ database, actor }: AdminContext, { args }: Input): Promise<Report> {
  const [name = '', state] = args;
  if (state !== 'on' && state !== 'off') throw new UsageProblem('<on|off> must be on or off');
  const { id, plan } = await accountOf(database, name);
  await database.transaction(async (tx) => {
    await setLiveMapsIn(tx, id, state === 'on');
    await recordAdminAct(tx, { actor, act: 'scrapers.maps', tenantId: id, details: { state } });
  });
  const rest = plan === 'free' ? '' : ` (its plan ${plan} has live rows anyway)`;
  return {
    value: { tenantId: id, liveMaps: state === 'on' },
    text: `live maps rows are ${state} for ${id}${rest}`,
  };
}
