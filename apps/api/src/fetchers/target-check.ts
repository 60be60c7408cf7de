import { Injectable } from '@nestjs/common';
import { ApiError } from '@app/contracts';
import { BlockedUrlError, InvalidUrlError, ResolveError, type EgressGuard } from '@app/egress';
import { createGuard, type Runtime } from '@app/runtime';
import { InjectRuntime } from '../runtime.token.js';

/** Checks addresses of requests with the egress guard, so that a bad one is answered before any work. */
@Injectable()
export class TargetCheck {
  private readonly guard: EgressGuard;

  constructor(@InjectRuntime() { settings, metrics }: Pick<Runtime, 'settings' | 'metrics'>) {
    this.guard = createGuard(settings, metrics);
  }

  /** The syntactic rules; names are resolved where they are dialled. */
  parse(text: string): URL {
    try {
      return this.guard.parse(text);
    } catch (error) {
      throw refusalOf(error, text);
    }
  }

  /**
   * With the addresses the name has now: for work that starts later. A name that does not resolve
   * passes, since the fetch tells that with more detail; every dial checks again.
   */
  async vet(text: string): Promise<URL> {
    const url = this.parse(text);
    try {
      await this.guard.vet(url);
    } catch (error) {
      if (!(error instanceof ResolveError)) throw refusalOf(error, text);
    }
    return url;
  }
}

function refusalOf(error: unknown, url: string): unknown {
  if (error instanceof BlockedUrlError)
    return new ApiError('blocked_url', { url }, { cause: error });
  if (error instanceof InvalidUrlError)
    return new ApiError('invalid_url', { url }, { cause: error });
  return error;
}
