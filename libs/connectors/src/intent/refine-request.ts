import type { ConnectorParams } from '../port/connector.js';
import type { RegisteredConnector } from '../port/connector-registry.js';
import { knownKind } from './named-place.js';
import type { ReadRequest } from './read-request.js';

/** What a conversation is about: a connector with its parameters. */
export interface ConversationState {
  readonly registered: RegisteredConnector;
  readonly params: ConnectorParams;
}

export interface Refinement {
  readonly params: ConnectorParams;
  /** Null: as before. */
  readonly maxRows: number | null;
}

/** `in Austin instead`, `what about Boston?`, `same for Denver`. */
const ELSEWHERE =
  /^(?:(?:ok(?:ay)?|and|now|then|but|no|please|rather|also|try|do|the same|same|that|what about|how about|change (?:it|the (?:place|location|city)) to|switch to|instead)[,:]?\s)*(?:(?:in|near|around|for|to)\s)?(.{2,100}?)(?:\s(?:instead|please|then|now|too|as well|rather))*[?.!]*$/i;
const LEADS_TO_PLACE =
  /\b(?:in|near|around|what about|how about|same for|location|city|place|switch to|instead)\b/i;
const MORE = /\b(?:also|and|add|too|as well|plus)\b/i;
const MAX_DOMAINS = 200;

/**
 * A follow-up as a change of the parameters that a conversation has: conditions, a number, another place or kind, further
 * domains. Null: it is none.
 */
export function refineRequest(
  request: ReadRequest,
  { registered, params }: ConversationState,
): Refinement | null {
  const has = (name: string): boolean => name in registered.connector.params.properties;
  const change: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(request.filters)) if (has(name)) change[name] = value;
  if (has('domains') && request.domains.length > 0)
    change['domains'] = domainsOf(request, params['domains']);
  if (has('query') && has('location')) Object.assign(change, placeOrKind(request, change));
  const isChanged = Object.keys(change).length > 0 || request.maxRows !== null;
  if (!isChanged) return null;
  const refined = { ...params, ...change };
  return registered.paramsProblem(refined) === null
    ? { params: refined, maxRows: request.maxRows }
    : null;
}

function domainsOf({ text, domains }: ReadRequest, known: unknown): readonly string[] {
  const before: readonly unknown[] = Array.isArray(known) && MORE.test(text) ? known : [];
  return [...new Set([...before.map(String), ...domains])].slice(0, MAX_DOMAINS);
}

function placeOrKind(
  { text, kind, place, filters, maxRows }: ReadRequest,
  change: ConnectorParams,
): ConnectorParams {
  if (place !== null && kind !== null && knownKind(kind.split(' ')) !== null)
    return { query: kind, location: place };
  if (Object.keys({ ...filters, ...change }).length > 0 || maxRows !== null) return {};
  const named = ELSEWHERE.exec(text)?.[1]?.trim();
  if (named === undefined) return {};
  const only = knownKind(named.toLowerCase().split(' '));
  if (only !== null) return { query: only };
  return LEADS_TO_PLACE.test(text) ? { location: named } : {};
}
