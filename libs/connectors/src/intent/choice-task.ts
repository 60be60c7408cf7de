import type { LlmProblem, LlmUsage, ModelClass, Plan } from '@app/contracts';
import type { ConnectorParams, ObjectSchema } from '../port/connector.js';

/** Request of the `search` queue: which connector a message means, by a model. */
export interface ConnectorChoiceTask {
  readonly kind: 'choose';
  readonly requestId: string;
  readonly tenantId: string;
  readonly plan: Plan;
  readonly deadlineAtMs: number;
  readonly text: string;
  readonly modelClass: ModelClass;
  /** What the conversation is about; null: it begins. */
  readonly known: { readonly connectorId: string; readonly params: ConnectorParams } | null;
  readonly connectors: readonly {
    readonly id: string;
    readonly description: string;
    readonly params: ObjectSchema;
  }[];
}

/** A model's choice, before it is checked by the schema of its connector. */
export interface ChosenConnector {
  readonly connectorId: string;
  readonly params: ConnectorParams;
  /** Rows that the message names; null: none. */
  readonly maxRows: number | null;
  /** It changes what the conversation is about. */
  readonly isRefinement: boolean;
}

/** Answer to a {@link ConnectorChoiceTask}; `chosen` null: the model found no connector, or there is a problem. */
export interface ConnectorChoiceReply {
  readonly kind: 'chosen';
  readonly chosen: ChosenConnector | null;
  readonly problem?: LlmProblem;
  readonly usage: LlmUsage;
}

/** The shape of a model's answer; parameters are JSON text, since each connector has a schema of its own. */
export const CHOICE_SCHEMA = {
  type: 'object',
  properties: {
    connector: { type: ['string', 'null'], description: 'Id of the connector; null: none suits.' },
    params: { type: 'string', description: 'The parameters as JSON text.' },
    max_rows: { type: ['integer', 'null'] },
    changes_previous: { type: 'boolean' },
  },
  required: ['connector', 'params', 'max_rows', 'changes_previous'],
  additionalProperties: false,
} as const;

const MAX_ROWS = 1_000_000;

/** The choice in an answer that was parsed as JSON; null: it chose none. @throws Error that says what is wrong */
export function readChoice(
  answer: unknown,
  known: readonly { readonly id: string }[],
): ChosenConnector | null {
  if (typeof answer !== 'object' || answer === null) throw new Error('it is no object');
  const { connector, params, max_rows, changes_previous } = answer as Readonly<
    Record<string, unknown>
  >;
  if (connector === null) return null;
  if (!known.some(({ id }) => id === connector)) throw new Error('`connector` is no known id');
  const value = parsed(params);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('`params` is no JSON object');
  const isCount = typeof max_rows === 'number' && Number.isInteger(max_rows);
  return {
    connectorId: String(connector),
    params: value as ConnectorParams,
    maxRows: isCount && max_rows >= 1 && max_rows <= MAX_ROWS ? max_rows : null,
    isRefinement: changes_previous === true,
  };
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error('`params` is no JSON');
  }
}
