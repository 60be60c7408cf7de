import type { TeamMember } from '../enrichment.js';
import { MAX_TEAM } from '../limits.js';
import { nameKeyOf } from './person-name.js';

/** Each person once, in the order first seen; a role or address missing there comes from later. */
export function joinTeam(people: readonly TeamMember[]): readonly TeamMember[] {
  const known = new Map<string, TeamMember>();
  for (const person of people) {
    const key = nameKeyOf(person.name);
    const one = known.get(key);
    if (one === undefined && known.size >= MAX_TEAM) continue;
    known.set(key, one === undefined ? person : { ...person, ...one });
  }
  return [...known.values()];
}
