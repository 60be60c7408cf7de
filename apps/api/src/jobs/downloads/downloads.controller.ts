import { Controller, Get, Headers, Param, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  BlobNotFoundError,
  contentDisposition,
  SCREENSHOT_FOLDER,
  verifyDownload,
  type BlobStore,
  type Download,
} from '@app/blobs';
import { ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { acceptsGzip } from '../../http/accept-encoding.js';
import { DocumentsErrors } from '../../http/documented.js';
import { LongAnswers } from '../../http/long-answers.js';
import { sendGzipped, sendStream } from '../../http/send-stream.js';
import { isPacked, openUnpacked } from '@app/jobs';
import { InjectRuntime } from '../../runtime.token.js';

/** Serves signed links: result files from either storage, other files from file storage only. */
@Controller('downloads')
export class DownloadsController {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'blobs' | 'downloadSecret'>,
    private readonly answers: LongAnswers,
  ) {}

  @Get(':token')
  @ApiOperation({
    summary: 'Download a file by its signed link',
    description: 'Result files are sent as gzip if `Accept-Encoding` allows it.',
    operationId: 'download',
  })
  @ApiHeader({ name: 'accept-encoding', required: false })
  @ApiOkResponse({ description: 'The file' })
  @DocumentsErrors('download_expired', 'not_found', 'too_many_answers', 'answers_unavailable')
  async download(
    @Param('token') token: string,
    @Headers('accept-encoding') accept: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { blobs, downloadSecret } = this.runtime;
    const file = verifyDownload(token, downloadSecret, Date.now());
    if (!file) throw new ApiError('download_expired');
    const head = await blobs.head(file.key);
    if (!head) throw new ApiError('not_found');
    reply
      .header('content-type', file.contentType)
      .header('content-disposition', contentDisposition(file.fileName));
    const download = { file, isHead: request.method === 'HEAD' };
    if (!download.isHead && !isPicture(file.key)) this.answers.hold(reply, ownerOf(file.key));
    if (isPacked(file.key)) return sendPacked(reply, blobs, { ...download, accept });
    reply.header('content-length', head.bytes);
    if (download.isHead) return void (await reply.send());
    await sendStream(reply, await found(blobs.get(file.key)));
  }
}

/** Images are small, and a page may show many at once. */
function isPicture(key: string): boolean {
  return key.startsWith(SCREENSHOT_FOLDER);
}

/** The owner of the file: a link has no API key, but blob keys are `<folder>/<tenant>/…`. */
function ownerOf(key: string): string {
  return key.split('/', 2)[1] ?? '';
}

interface PackedDownload {
  readonly file: Download;
  readonly isHead: boolean;
  readonly accept: string | undefined;
}

/** Decompresses zstd, and compresses gzip for clients that accept it. */
async function sendPacked(
  reply: FastifyReply,
  blobs: BlobStore,
  asked: PackedDownload,
): Promise<void> {
  const { file, isHead, accept } = asked;
  const isGzip = acceptsGzip(accept);
  reply.header('vary', 'accept-encoding');
  if (isGzip) reply.header('content-encoding', 'gzip');
  if (isHead) return void (await reply.send());
  const text = await found(openUnpacked(blobs, file.key));
  await (isGzip ? sendGzipped(reply, text) : sendStream(reply, text));
}

/** Deleted after its metadata was read. */
async function found<T>(opened: Promise<T>): Promise<T> {
  try {
    return await opened;
  } catch (cause) {
    throw cause instanceof BlobNotFoundError ? new ApiError('not_found', {}, { cause }) : cause;
  }
}
