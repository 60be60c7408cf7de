import { Scope, type ScopeOptions } from '@app/crawl';

/** Scopes of recent jobs; compiling patterns for every page would cost more than matching them. */
const MAX_SCOPES = 200;

const scopes = new Map<string, Scope>();

/** The scope of a job, compiled once per thread. A job's options never change. */
export function scopeOf(jobId: string, options: ScopeOptions): Scope {
  const known = scopes.get(jobId);
  if (known) return known;
  const scope = new Scope(options);
  scopes.set(jobId, scope);
  const [oldest] = scopes.keys();
  if (scopes.size > MAX_SCOPES && oldest !== undefined) scopes.delete(oldest);
  return scope;
}
