import { waitAtMost, type Runtime } from '@app/runtime';
import type { Observation } from '../evidence/facts.js';
import { writeObservations } from './write-observations.js';

/** A response waits no longer for the graph. */
const MAX_WRITE_MS = 2_000;

/** Writes readings of sites to the shared graph. */
export class GraphWriter {
  constructor(
    private readonly runtime: Pick<Runtime, 'database' | 'log' | 'settings' | 'metrics'>,
  ) {}

  /**
   * Stores a reading before its response is sent, so that no reading a client has seen is lost. A graph that is disabled or
   * fails changes no response. Returns the id of the business, null when it was not stored.
   * @param observation null: it has nothing for the graph; nor has one that is not of a company's own site
   */
  async remember(tenantId: string, observation: Observation | null): Promise<string | null> {
    const { database, log, settings, metrics } = this.runtime;
    if (observation === null || observation.site === null || !settings.graphEnabled) return null;
    const { source } = observation;
    try {
      const work = writeObservations(database, [observation], { tenantId });
      const { businessIds, created, merged } = await waitAtMost(MAX_WRITE_MS, work);
      metrics.graphChanges.inc({ change: 'created' }, created);
      metrics.graphChanges.inc({ change: 'merged' }, merged);
      return businessIds[0] ?? null;
    } catch (err) {
      log.warn({ err, source }, 'a reading was not written to the graph');
      return null;
    }
  }
}
