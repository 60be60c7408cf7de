import type { ConnectorSources } from './connector-sources.js';

/** JSON Schema (2020-12) of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly [keyword: string]: unknown;
}

export type ConnectorParams = Readonly<Record<string, unknown>>;
export type ConnectorRow = Readonly<Record<string, unknown>>;

/** A request in words, as far as it is understood. */
export interface ConnectorInput {
  /** As it was written. */
  readonly text: string;
  /** Kind of business, in lower case; null: none is named. */
  readonly kind: string | null;
  readonly place: string | null;
  readonly technologies: readonly string[];
  /** Bare hosts. */
  readonly domains: readonly string[];
  readonly urls: readonly string[];
  /** What rows must have, as parameters name it: `has_website`, `has_phone`, `min_rating`. */
  readonly filters: Readonly<Record<string, unknown>>;
}

/** How well a connector suits a request, and the parameters that the request means. */
export interface ConnectorMatch {
  /** 0 to 1. */
  readonly score: number;
  readonly params: ConnectorParams;
}

/** The work of one preview or run. */
export interface ConnectorContext {
  /** Most rows that are wanted; a run may yield more, which are dropped. */
  readonly maxRows: number;
  readonly signal: AbortSignal;
  readonly sources: ConnectorSources;
  /** Reports what the work costs the operator, in millionths of a dollar. */
  readonly addCost: (microUsd: number) => void;
}

export interface ConnectorPreview {
  /** The first rows. */
  readonly rows: readonly ConnectorRow[];
  /** How many rows a run would have; null: unknown. */
  readonly estimatedRows: number | null;
  /** Sample rows that name nothing real: a pull of them is free. */
  readonly isMock?: boolean;
}

/**
 * A source of rows that can be previewed, pulled and watched (specification: Connector). Plain data and functions, so that a
 * module of the operator can be one.
 */
export interface Connector {
  /** Stable: lower case letters, digits and underscores. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly params: ObjectSchema;
  /** JSON Schema of a row. Its properties in their order are the columns of the CSV. */
  readonly schema: ObjectSchema;
  /** Price of a row; 0: free. */
  readonly pricePerRecordUsd: number;
  /** Only on plans with web search. @default false */
  readonly needsSearchPlan?: boolean;
  /** Says what the schema cannot say about parameters that match it; null: they can be used. */
  paramsProblem?(params: ConnectorParams): string | null;
  /** What makes two rows the same one: a text that stays when other fields change. */
  keyOf(row: ConnectorRow): string;
  /**
   * What differs between two rows of one key, as a feed delivers it; null: nothing that matters.
   * @default the fields that are not equal
   */
  changesOf?(
    before: ConnectorRow,
    after: ConnectorRow,
    params: ConnectorParams,
  ): Readonly<Record<string, unknown>> | null;
  /** Null: the request is about something else. */
  match(input: ConnectorInput): ConnectorMatch | null;
  /** The first page. */
  preview(params: ConnectorParams, context: ConnectorContext): Promise<ConnectorPreview>;
  /** Rows as they are found, in bounded memory: it is pulled, and ended by the return of its iterator. */
  run(params: ConnectorParams, context: ConnectorContext): AsyncIterable<ConnectorRow>;
}
