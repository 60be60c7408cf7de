import { MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES, MAX_WRITTEN_OUT_BYTES } from '../limits.js';
import { atPointer, isObject, type JsonObject } from './json-value.js';
import { patternProblem } from '@app/patterns';
import { SchemaError, mapSubschemas } from './schema-shape.js';

/** Words that give a schema an address of its own, or refer by one. */
const ADDRESSING = [
  '$id',
  '$async',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
] as const;
const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', '$comment']);

/**
 * Writes every local reference out, so that no definition is left, and checks what the bounds and
 * the meta-schema do not: references, patterns and names.
 * @throws SchemaError
 */
export function resolveSchema(root: JsonObject): JsonObject {
  const resolver = new Resolver(root);
  const { $schema: _dialect, $defs: _defs, definitions: _definitions, ...rest } = root;
  return resolver.resolve(rest, [], 0);
}

class Resolver {
  private nodes = 0;
  private writtenOutBytes = 0;
  private readonly bytesOf = new Map<string, number>();

  constructor(private readonly root: JsonObject) {}

  /** @param trail references that are being written out, outermost first */
  resolve(schema: JsonObject, trail: readonly string[], depth: number): JsonObject {
    if (depth > MAX_SCHEMA_DEPTH) {
      throw new SchemaError(`is nested more than ${MAX_SCHEMA_DEPTH} levels deep`);
    }
    this.countNode();
    assertUsable(schema);
    const { $ref, $defs: _defs, definitions: _definitions, ...own } = schema;
    const here = mapSubschemas(own, (inner) => {
      if (isObject(inner)) return this.resolve(inner, trail, depth + 1);
      // true and false are sub-schemas too, and each costs a condition when it is compiled.
      this.countNode();
      return inner;
    });
    return $ref === undefined ? here : this.join(here, this.follow($ref, trail, depth));
  }

  private countNode(): void {
    if (++this.nodes > MAX_SCHEMA_NODES) {
      throw new SchemaError(
        `has more than ${MAX_SCHEMA_NODES} sub-schemas, references written out`,
      );
    }
  }

  /** Lists of choices and descriptions are no sub-schemas, but are copied with each reference. */
  private countBytes($ref: string, target: JsonObject): void {
    const bytes = this.bytesOf.get($ref) ?? Buffer.byteLength(JSON.stringify(target));
    this.bytesOf.set($ref, bytes);
    this.writtenOutBytes += bytes;
    if (this.writtenOutBytes > MAX_WRITTEN_OUT_BYTES) {
      throw new SchemaError(
        `is too large: its references, written out, are more than ${MAX_WRITTEN_OUT_BYTES} bytes; shorten the parts that are referred to most`,
      );
    }
  }

  private follow($ref: unknown, trail: readonly string[], depth: number): JsonObject {
    if (typeof $ref !== 'string' || !/^#(?:\/|$)/.test($ref)) {
      throw new SchemaError(`may only refer to parts of itself (#/…), not to ${show($ref)}`);
    }
    if (trail.includes($ref)) {
      throw new SchemaError(`refers to itself (${$ref}); write the levels that you need out`);
    }
    const target = atPointer(this.root, decodeFragment($ref.slice(1)));
    if (!isObject(target)) throw new SchemaError(`has no part ${$ref}`);
    this.countBytes($ref, target);
    return this.resolve(target, [...trail, $ref], depth + 1);
  }

  /** Since 2019-09 keywords beside a reference count too. */
  private join(here: JsonObject, target: JsonObject): JsonObject {
    const isAnnotated = Object.keys(here).every((key) => ANNOTATIONS.has(key));
    return isAnnotated ? { ...target, ...here } : { ...here, allOf: [...allOf(here), target] };
  }
}

function allOf({ allOf: list }: JsonObject): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // Not encoded after all; it then names what it spells.
    return fragment;
  }
}

function assertUsable(schema: JsonObject): void {
  const addressing = ADDRESSING.find((word) => schema[word] !== undefined);
  if (addressing !== undefined) throw new SchemaError(`uses ${addressing}, which is not supported`);
  const { pattern, properties, patternProperties, enum: choices } = schema;
  if (Array.isArray(choices) && choices.length === 0)
    throw new SchemaError('has an `enum` without choices');
  if (typeof pattern === 'string') assertPattern(pattern);
  if (isObject(patternProperties)) Object.keys(patternProperties).forEach(assertPattern);
  // A name that assignments treat apart.
  if (isObject(properties) && Object.hasOwn(properties, '__proto__')) {
    throw new SchemaError('has a property named __proto__');
  }
}

function assertPattern(pattern: string): void {
  const problem = patternProblem(pattern);
  if (problem !== null) throw new SchemaError(`has the pattern ${show(pattern)}, which ${problem}`);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
