import type { FastifyInstance } from 'fastify';
import { readBalance, usageByDay } from '@app/accounts';
import { html, type Html } from '../html/html.js';
import { tenantSignedIn } from '../http/signed-in.js';
import { jobTable } from '../jobs/job-list.page.js';
import type { DashboardServices } from '../services.js';
import { creditFigures } from './credits.js';
import { usageChart } from './usage-chart.js';

const CHART_DAYS = 30;
const SHOWN_JOBS = 5;

/** Balance, usage and recent jobs. */
export function overviewRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { runtime, pages, jobs } = services;
  scope.get('/dashboard', async (request, reply) => {
    const tenant = tenantSignedIn(request);
    const onError = (err: unknown): void => runtime.log.warn({ err }, 'credits could not be read');
    const balance = await readBalance(runtime.database, tenant.id, { onError });
    const days = await usageByDay(runtime.database, tenant.id, CHART_DAYS);
    const list = await jobs.list(tenant);
    return pages.send(reply, {
      title: 'Overview',
      section: 'overview',
      content: html`${balance && creditFigures(tenant.plan, balance)}
        <section aria-labelledby="usage">
          <h2 id="usage">Credits of the last ${CHART_DAYS} days</h2>
          ${usageChart(days)}
        </section>
        <section aria-labelledby="recent">
          <h2 id="recent">Recent jobs</h2>
          ${jobTable(list.jobs.slice(0, SHOWN_JOBS))}
        </section>
        ${firstSteps(runtime.publicUrl, list.jobs.length === 0)}`,
    });
  });
}

function firstSteps(publicUrl: string, isNew: boolean): Html | false {
  if (!isNew) return false;
  const command = `curl ${publicUrl}/v1/scrape -H "x-api-key: $TRAWL_KEY" \\\n  -H 'content-type: application/json' -d '{"url":"https://example.com/"}'`;
  return html`<section aria-labelledby="first">
    <h2 id="first">Your first request</h2>
    <p>In the <a href="/dashboard/playground">playground</a>, or from a terminal:</p>
    <pre
      tabindex="0"
      role="region"
      aria-label="Your first request"
    ><code data-copy>${command}</code></pre>
  </section>`;
}
