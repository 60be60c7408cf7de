import { z } from 'zod';
import { request } from '../calls/tool-call.js';
import { defineTool, READS_RESULTS } from './define-tool.js';
import { jobIdField } from './fields.js';
import { crawlAnswer, endedAnswer, jobOutput } from './job-answer.js';

const input = z.strictObject({ jobId: jobIdField });

export const crawlStatusTool = defineTool({
  name: 'crawl_status',
  title: 'State of a crawl',
  description:
    'Get the state of a crawl: its status and how many URLs were scraped, failed, skipped or still wait, with the reasons.',
  credits: 'nothing',
  annotations: READS_RESULTS,
  input,
  output: jobOutput,
  run: async ({ jobId }, call) =>
    request(call, 'Reading the state', async (trawl, sent) => {
      const job = trawl.job(jobId);
      return endedAnswer(job, await job.status(sent), { signal: call.signal });
    }),
});

export const crawlCancelTool = defineTool({
  name: 'crawl_cancel',
  title: 'Cancel a crawl',
  description:
    'Stop a crawl. Pages that it has scraped stay readable with crawl_results. A crawl that is over stays as it is.',
  credits: 'nothing; pages scraped by then stay charged',
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  input,
  output: jobOutput,
  run: ({ jobId }, call) =>
    request(call, 'Cancelling', async (trawl, sent) => {
      const job = trawl.job(jobId);
      await job.cancel(sent);
      return crawlAnswer(await job.status(sent));
    }),
});
