import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { BlobNotFoundError, contentDisposition, verifyDownload } from '@app/blobs';
import { Refusal } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { Refuses } from '../http/documented.js';
import { InjectRuntime } from '../runtime.token.js';

/** Serves signed links of file storage; with S3 clients download from there. */
@Controller('downloads')
export class DownloadsController {
  constructor(@InjectRuntime() private readonly runtime: Runtime) {}

  @Get(':token')
  @ApiOperation({ summary: 'Download by signed link', operationId: 'download' })
  @ApiOkResponse({ description: 'The file' })
  @Refuses('download_expired', 'not_found')
  async download(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { blobs, downloadSecret } = this.runtime;
    const file = verifyDownload(token, downloadSecret, Date.now());
    if (!file) throw new Refusal('download_expired');
    const head = await blobs.head(file.key);
    if (!head) throw new Refusal('not_found');
    const stream = await blobs.get(file.key).catch((cause: unknown) => {
      throw cause instanceof BlobNotFoundError ? new Refusal('not_found', {}, { cause }) : cause;
    });
    await reply
      .header('content-type', file.contentType)
      .header('content-length', head.bytes)
      .header('content-disposition', contentDisposition(file.fileName))
      .header('cache-control', 'private, no-store')
      .send(stream);
  }
}
