import { seededRandom } from '@app/testing';
import type { MatchRecord } from '../../src/match/match-record.js';
import type { WorldBusiness } from './business.js';
import { WorldMaker } from './make-businesses.js';
import { SourceWriter } from './sources.js';

export interface WorldRecord {
  readonly record: MatchRecord;
  /** The truth. */
  readonly business: WorldBusiness;
}

/** Records of sources about a number of businesses. The same seed makes the same records on every machine. */
export function makeWorld(businesses: number, seed: number): readonly WorldRecord[] {
  const random = seededRandom(seed);
  const all = new WorldMaker(random, businesses).make();
  const writer = new SourceWriter(random);
  return all.flatMap((business) =>
    writer.recordsOf(business).map((record) => ({ record, business })),
  );
}
