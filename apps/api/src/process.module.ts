import { Module, type DynamicModule } from '@nestjs/common';
import { CreditCharges } from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { LongAnswers } from './http/long-answers.js';
import { RUNTIME } from './runtime.token.js';

/** Providers that every resource may inject: the ports of the process, charging, and the count of long responses. */
@Module({})
export class ProcessModule {
  static for(runtime: Runtime, answers: LongAnswers): DynamicModule {
    const providers = [
      { provide: RUNTIME, useValue: runtime },
      { provide: LongAnswers, useValue: answers },
      { provide: CreditCharges, useValue: new CreditCharges(runtime) },
    ];
    return { module: ProcessModule, global: true, providers, exports: providers };
  }
}
