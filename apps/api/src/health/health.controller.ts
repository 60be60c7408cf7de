import { maxHeaderSize } from 'node:http';
import { Controller, Get, Query, Res, Module } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Runtime } from '@app/runtime';
import { readinessBody } from '@app/telemetry';
import { InjectRuntime } from '../runtime.token.js';

/** An endpoint without input has one possible error, from the HTTP parser. */
function HeadersTooLarge(): MethodDecorator {
  return ApiResponse({ status: 431, description: `Headers larger than ${maxHeaderSize} bytes` });
}

@Controller('health')
class HealthController {
  constructor(@InjectRuntime() private readonly runtime: Pick<Runtime, 'health'>) {}

  @Get('live')
  @ApiOperation({ summary: 'Check whether the process responds', operationId: 'live' })
  @ApiOkResponse({
    description: 'Live',
    schema: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'string', enum: ['live'] } },
    },
  })
  @HeadersTooLarge()
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiOperation({ summary: 'Check whether the process can accept work', operationId: 'ready' })
  @ApiQuery({
    name: 'verbose',
    required: false,
    description: 'Each dependency with its problem and the fix.',
  })
  @ApiOkResponse({ description: 'Ready' })
  @HeadersTooLarge()
  @ApiResponse({ status: 503, description: 'Not ready, or stopping' })
  async ready(
    @Query('verbose') verbose: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const readiness = await this.runtime.health.readiness();
    const isVerbose = verbose !== undefined && verbose !== 'false';
    await reply.status(readiness.ready ? 200 : 503).send(readinessBody(readiness, isVerbose));
  }
}

@Module({
  controllers: [HealthController],
})
export class HealthModule {}
