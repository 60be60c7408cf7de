import { VERSION } from '@app/runtime';
import { archivedRows, copiesOf, type ArchivedRow } from '../url-report.js';
import { readCrawlOptions } from '../../create/crawl-options.js';
import { type JobEntity } from '../../job.entity.js';
import { framesOf, inflateDocument, type ResultPorts } from '../read-results.js';
import { copyRecord, pageRecords } from './page-records.js';
import { packRecord, recordId, type WarcRecord } from './warc-record.js';

const COPIES_PER_READ = 500;
const STANDARD = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/';

export function warcFileName({ id }: Pick<JobEntity, 'id'>): string {
  return `crawl-${id}.warc.gz`;
}

/**
 * A job as a web archive (ISO 28500:2017, WARC 1.1): the kept content of each page in the order
 * they were scraped, up to the present end. The archive of an ended job is the same, byte by byte,
 * at every export. Memory is bounded by one read and one document.
 */
export async function* writeWarc(ports: ResultPorts, job: JobEntity): AsyncGenerator<Buffer> {
  yield await packRecord(infoRecord(job));
  const rowsAfter = (after: number, most: number): Promise<readonly ArchivedRow[]> =>
    archivedRows(ports.database, job.id, after, most);
  const options = { after: 0, most: job.pageLimit };
  for await (const { row, frame } of framesOf(ports.blobs, options, rowsAfter)) {
    const { records, original } = pageRecords(job.id, row, await inflateDocument(frame));
    for (const record of records) yield await packRecord(record);
    if (original === null || !row.hasCopies) continue;
    for await (const copy of copies(ports, { jobId: job.id, urlKey: row.urlKey }))
      yield await packRecord(copyRecord(job.id, copy, original));
  }
}

async function* copies(
  { database }: Pick<ResultPorts, 'database'>,
  page: { readonly jobId: string; readonly urlKey: string },
): AsyncGenerator<Awaited<ReturnType<typeof copiesOf>>[number]> {
  for (let after: string | null = null; ;) {
    const rows = await copiesOf(database, page, after, COPIES_PER_READ);
    yield* rows;
    if (rows.length < COPIES_PER_READ) return;
    after = rows.at(-1)?.urlKey ?? null;
  }
}

function infoRecord(job: JobEntity): WarcRecord {
  const { ignoreRobotsTxt } = readCrawlOptions(job.options);
  const lines = [
    `software: Trawl/${VERSION}`,
    'format: WARC File Format 1.1',
    `conformsTo: ${STANDARD}`,
    `isPartOf: ${job.id}`,
    `description: ${job.type} of ${job.url}`,
    `robots: ${ignoreRobotsTxt ? 'ignore' : 'classic'}`,
    '',
  ];
  return {
    type: 'warcinfo',
    id: recordId(job.id, 'warcinfo'),
    date: job.createdAt,
    block: Buffer.from(lines.join('\r\n')),
    contentType: 'application/warc-fields',
    fields: { 'WARC-Filename': warcFileName(job) },
  };
}
