import { Injectable } from '@nestjs/common';
import { ApiError } from '@app/contracts';
import { BlockedUrlError, InvalidUrlError, ResolveError, type EgressGuard } from '@app/egress';
import { createGuard, type Runtime } from '@app/runtime';
import { InjectRuntime } from '../runtime.token.js';

/** Checks URLs of requests with the egress guard, so that a blocked one is rejected before any work. */
@Injectable()
export class TargetCheck {
  private readonly guard: EgressGuard;

  constructor(@InjectRuntime() { settings, metrics }: Pick<Runtime, 'settings' | 'metrics'>) {
    this.guard = createGuard(settings, metrics);
  }

  /** The syntactic rules; names are resolved at dial time. */
  parse(text: string): URL {
    try {
      return this.guard.parse(text);
    } catch (error) {
      throw apiErrorOf(error, text);
    }
  }

  /**
   * Also checks the addresses that the name resolves to now: for work that starts later. An unresolvable
   * name passes, since the fetch reports it in more detail; every dial checks again.
   */
  async vet(text: string): Promise<URL> {
    const url = this.parse(text);
    try {
      await this.guard.vet(url);
    } catch (error) {
      if (!(error instanceof ResolveError)) throw apiErrorOf(error, text);
    }
    return url;
  }
}

function apiErrorOf(error: unknown, url: string): unknown {
  if (error instanceof BlockedUrlError)
    return new ApiError('blocked_url', { url }, { cause: error });
  if (error instanceof InvalidUrlError)
    return new ApiError('invalid_url', { url }, { cause: error });
  return error;
}
