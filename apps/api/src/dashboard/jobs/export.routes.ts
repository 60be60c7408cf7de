import type { FastifyInstance } from 'fastify';
import { ApiError } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import { NDJSON } from '../../http/send-lines.js';
import { sendFile } from '../../http/send-stream.js';
import type { ResultsService } from '../../jobs/results/results.service.js';
import { tenantSignedIn } from '../http/signed-in.js';
import type { DashboardServices } from '../services.js';

interface Export {
  readonly title: string;
  readonly contentType: string;
  readonly extension: string;
  readonly read: (
    results: ResultsService,
    tenant: Tenant,
    id: string,
  ) => Promise<AsyncGenerator<Buffer>>;
}

const MAX_INTEGER = 2 ** 31 - 1;

/** Results of a job as files, by the last part of their address. */
export const EXPORTS: ReadonlyMap<string, Export> = new Map(
  Object.entries<Export>({
    markdown: {
      ...{ title: 'Markdown files (.zip)', contentType: 'application/zip', extension: 'zip' },
      read: (results, tenant, id) => results.files(tenant, id),
    },
    jsonl: {
      ...{ title: 'JSON lines', contentType: NDJSON, extension: 'jsonl' },
      read: (results, tenant, id) => results.lines(tenant, id, { after: 0, most: MAX_INTEGER }),
    },
    csv: {
      ...{ title: 'Table (.csv)', contentType: 'text/csv; charset=utf-8', extension: 'csv' },
      read: (results, tenant, id) => results.table(tenant, id),
    },
    warc: {
      ...{ title: 'Web archive (.warc.gz)', contentType: 'application/warc', extension: 'warc.gz' },
      read: async (results, tenant, id) => (await results.archive(tenant, id)).bytes,
    },
  }),
);

/** What a person takes along of a job. */
export function exportRoutes(
  scope: FastifyInstance,
  { results, longAnswers }: DashboardServices,
): void {
  scope.get<{ readonly Params: { readonly id: string; readonly form: string } }>(
    '/dashboard/jobs/:id/export/:form',
    async (request, reply) => {
      const { id, form } = request.params;
      const wanted = EXPORTS.get(form);
      if (wanted === undefined) throw new ApiError('not_found');
      const tenant = tenantSignedIn(request);
      longAnswers.hold(reply, tenant.id);
      const { contentType, extension, read } = wanted;
      const bytes = await read(results, tenant, id);
      await sendFile(reply, bytes, { contentType, fileName: `${id}.${extension}` });
      return reply;
    },
  );
}
