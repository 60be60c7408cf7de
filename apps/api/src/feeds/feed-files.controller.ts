import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ConnectorRegistry } from '@app/connectors';
import { ApiError } from '@app/contracts';
import { feedFile, FEED_TYPES, findSignedFeed, readFeedItems, readFeedToken } from '@app/runs';
import type { Runtime } from '@app/runtime';
import { InjectConnectors } from '../connectors/connectors.token.js';
import { DocumentsErrors } from '../http/documented.js';
import { InjectRuntime } from '../runtime.token.js';

/** Rows in a file: each is cut to a few thousand characters, so the largest file has some hundred kilobytes. */
const ITEMS = 100;
/** A feed reader that polls more often gets the same file. */
const CACHE = 'private, max-age=60';

/** Feeds as files for feed readers, which send no key: the address is signed. */
@Controller('feeds')
export class FeedFilesController {
  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<Runtime, 'database' | 'downloadSecret' | 'publicUrl'>,
    @InjectConnectors() private readonly connectors: ConnectorRegistry,
  ) {}

  @Get(':token')
  @ApiOperation({
    summary: 'The newest rows of a feed as RSS 2.0, Atom or JSON Feed',
    description:
      'The addresses are in `addresses` of the feed. They are good until they are renewed or it is deleted.',
    operationId: 'readFeedFile',
  })
  @ApiProduces('application/rss+xml', 'application/atom+xml', 'application/feed+json')
  @ApiOkResponse({ description: 'The newest 100 delivered rows.' })
  @DocumentsErrors('feed_not_found')
  async read(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const { database, downloadSecret, publicUrl } = this.runtime;
    const signed = readFeedToken(token, downloadSecret);
    const feed = signed === null ? null : await findSignedFeed(database, signed.id);
    if (signed === null || feed?.addressVersion !== signed.addressVersion)
      throw new ApiError('feed_not_found');
    const items = await readFeedItems(database.asReader(feed.tenantId), feed.id, ITEMS);
    const title = this.connectors.get(feed.connectorId)?.connector.title ?? feed.connectorId;
    const { id, createdAt, schedule, timeZone } = feed;
    const file = {
      ...{ id, createdAt, items, title },
      description: `New rows, by the schedule ${schedule} (${timeZone})`,
      ...{ url: `${publicUrl}/feeds/${token}`, home: publicUrl },
    };
    await reply
      .header('content-type', FEED_TYPES[signed.format])
      .header('cache-control', CACHE)
      .header('x-robots-tag', 'noindex')
      .send(feedFile(file, signed.format));
  }
}
