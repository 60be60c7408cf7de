import {
  compileSchema,
  conform,
  groundValue,
  isObject,
  isStrictSchema,
  mergeAnswers,
  modelSchema,
  PageText,
  readAnswer,
  type CompiledSchema,
} from '@app/content';
import type { AnswerSchema } from '@app/providers';
import { memberOf, type Checked } from './checked.js';
import type {
  AnswersToJoin,
  AnswerToCheck,
  GroundedAnswer,
  JoinedAnswers,
  PreparedSchema,
  SchemaText,
} from './reading-task.js';

/** Recently compiled schemas: every answer of a request needs the same one. */
const MAX_SCHEMAS = 20;

type Compilation = ReturnType<typeof compileSchema>;

const compilations = new Map<SchemaText, Compilation>();

function compile(schema: SchemaText): Compilation {
  const known = compilations.get(schema);
  if (known) return known;
  const compilation = compileSchema(JSON.parse(schema));
  compilations.set(schema, compilation);
  const [oldest] = compilations.keys();
  if (compilations.size > MAX_SCHEMAS && oldest !== undefined) compilations.delete(oldest);
  return compilation;
}

function compiled(schema: SchemaText): CompiledSchema {
  const compilation = compile(schema);
  if (!compilation.ok)
    throw new Error(`no answer is requested when the schema ${compilation.problem}`);
  return compilation.compiled;
}

export function prepareSchema(schema: SchemaText): PreparedSchema {
  const compilation = compile(schema);
  if (!compilation.ok) return compilation;
  const answer = answerSchema(compilation.compiled);
  return { ok: true, answer, answerText: JSON.stringify(answer.schema) };
}

function answerSchema({ nullable }: CompiledSchema): AnswerSchema {
  const data = modelSchema(nullable);
  const quote = {
    type: 'object',
    properties: { at: TEXT, quote: TEXT },
    ...CLOSED(['at', 'quote']),
  };
  return {
    name: 'page_data',
    schema: {
      type: 'object',
      properties: { data, quotes: { type: 'array', items: quote } },
      ...CLOSED(['data', 'quotes']),
    },
    isStrict: isStrictSchema(data),
  };
}

const TEXT = { type: 'string' };
const CLOSED = (required: readonly string[]) => ({ required, additionalProperties: false });

export function checkAnswer({
  schema,
  answer,
  part,
  title,
  url,
}: AnswerToCheck): Checked<GroundedAnswer> {
  const json = readAnswer(answer);
  if (json === undefined) return { ok: false, errors: null };
  const { nullable, errorsOf } = compiled(schema);
  const value = conform(memberOf(json, 'data'), nullable);
  const errors = errorsOf(value);
  if (errors.length > 0) return { ok: false, errors };
  // The part of the page in the model's prompt.
  const page = new PageText([title, part].join('\n\n'), url);
  const hints = readHints(isObject(json) ? json['quotes'] : null);
  return { ok: true, value: groundValue(value, { schema: nullable, page, hints }) };
}

function readHints(quotes: unknown): ReadonlyMap<string, string> {
  const hints = new Map<string, string>();
  if (!Array.isArray(quotes)) return hints;
  for (const one of quotes as readonly unknown[]) {
    if (!isObject(one) || typeof one['at'] !== 'string' || typeof one['quote'] !== 'string')
      continue;
    // Some models count from the root of their answer.
    hints.set(one['at'].replace(/^\/data(?=\/)/, ''), one['quote']);
  }
  return hints;
}

export function joinAnswers({ schema, answers }: AnswersToJoin): JoinedAnswers {
  const { nullable, errorsOf } = compiled(schema);
  const merged = mergeAnswers(answers);
  const value = conform(answers.length === 0 ? nothing(nullable) : merged.value, nullable);
  const [error] = errorsOf(value);
  return error === undefined ? { ok: true, value, quotes: merged.quotes } : { ok: false, error };
}

/** The answer for a page without text. */
function nothing({ type }: CompiledSchema['nullable']): unknown {
  const types = [type].flat();
  return types.includes('object') ? {} : types.includes('array') ? [] : null;
}
