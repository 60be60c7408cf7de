import type { ConnectorParams } from '../port/connector.js';

/** A list of texts among checked parameters. */
export function textsOfParam(params: ConnectorParams, name: string): readonly string[] {
  const value = params[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** A text among checked parameters; null: it is not there. */
export function textOfParam(params: ConnectorParams, name: string): string | null {
  const value = params[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
