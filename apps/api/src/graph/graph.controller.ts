import { Body, Controller, Get, HttpCode, Param, Post, Module } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { GraphWriter } from '@app/graph';
import type { Runtime } from '@app/runtime';
import { RequiresApiKey } from '../http/documented.js';
import { GraphBusinessView, GraphQueryRequest, GraphQueryResult } from './graph.dto.js';
import { GraphService } from './graph.service.js';
import { RUNTIME } from '../runtime.token.js';

@Controller('v1/graph')
class GraphController {
  constructor(private readonly graph: GraphService) {}

  @Post('query')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Find companies by technology, industry and place',
    description:
      'Reads the shared company graph: public facts only, without contact data. Free. In the order of ids, so that pages by `cursor` neither repeat nor skip a company.',
    operationId: 'queryGraph',
  })
  @ApiBody({ type: GraphQueryRequest })
  @ApiOkResponse({ type: GraphQueryResult })
  @RequiresApiKey(
    { kind: 'immediate', isCompressed: true },
    'invalid_json',
    'filter_required',
    'invalid_request',
    'body_too_large',
    'unsupported_media_type',
    'graph_disabled',
    'draining',
  )
  query(@Body() body: GraphQueryRequest): Promise<GraphQueryResult> {
    return this.graph.query(body);
  }

  @Get('business/:idOrDomain')
  @ApiOperation({
    summary: 'Read one company of the graph',
    description: 'Public facts only, without contact data. Free.',
    operationId: 'getGraphBusiness',
  })
  @ApiParam({ name: 'idOrDomain', description: '`id` of a query result, or a domain.' })
  @ApiOkResponse({ type: GraphBusinessView })
  @RequiresApiKey(
    { kind: 'immediate', isCompressed: true },
    'business_not_found',
    'graph_disabled',
    'draining',
  )
  business(@Param('idOrDomain') idOrDomain: string): Promise<GraphBusinessView> {
    return this.graph.business(idOrDomain);
  }
}

/** The company graph: queries, and the writer that company endpoints share. */
@Module({
  controllers: [GraphController],
  providers: [
    GraphService,
    {
      provide: GraphWriter,
      useFactory: (runtime: Pick<Runtime, 'database' | 'log' | 'settings' | 'metrics'>) =>
        new GraphWriter(runtime),
      inject: [RUNTIME],
    },
  ],
  exports: [GraphWriter],
})
export class GraphModule {}
