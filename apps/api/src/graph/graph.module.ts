import { Module } from '@nestjs/common';
import { GraphWriter } from '@app/graph';
import type { Runtime } from '@app/runtime';
import { RUNTIME } from '../runtime.token.js';
import { GraphController } from './graph.controller.js';
import { GraphService } from './graph.service.js';

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
