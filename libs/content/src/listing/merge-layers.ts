import type { FieldOrigin } from '@app/contracts';
import { nameLetters } from './entity/page-identity.js';
import { FIELD_ORDER, type FieldName, type LayerFields } from './listing-values.js';

export interface Layer {
  readonly layer: FieldOrigin['layer'];
  readonly fields: LayerFields;
}

/** Fields and the layer each was taken from, in the order of results. */
export type Merged = ReadonlyMap<
  FieldName,
  { readonly layer: FieldOrigin['layer']; readonly field: LayerFields }
>;

/**
 * Fields that only make sense together: a lower layer adds to them nothing (`first`), or only where
 * it does not speak of another place (`agreeing`).
 */
const GROUPS: readonly {
  readonly names: readonly FieldName[];
  readonly rule: 'first' | 'agreeing';
}[] = [
  { names: ['address', 'city', 'state', 'zip', 'country'], rule: 'agreeing' },
  { names: ['lat', 'lng'], rule: 'first' },
  { names: ['price_range', 'price_min', 'price_max'], rule: 'first' },
  { names: ['rating', 'review_count'], rule: 'agreeing' },
];

const groupOf = new Map(
  GROUPS.flatMap((group) => group.names.map((name) => [name, group] as const)),
);

/**
 * Each field from the first layer that has it. What a page shows never wins over its markup; where
 * markup is invalid it was dropped before, so that the next layer is asked.
 */
export function mergeLayers(layers: readonly Layer[]): Merged {
  const merged = new Map<
    FieldName,
    { readonly layer: FieldOrigin['layer']; readonly field: LayerFields }
  >();
  for (const { layer, fields } of layers) {
    const taken = new Map(merged);
    for (const name of FIELD_ORDER) {
      if (fields[name] === undefined || merged.has(name) || !fits(name, fields, taken)) continue;
      merged.set(name, { layer, field: fields });
    }
  }
  return new Map(
    FIELD_ORDER.flatMap((name) => {
      const entry = merged.get(name);
      return entry === undefined ? [] : [[name, entry] as const];
    }),
  );
}

function fits(name: FieldName, fields: LayerFields, taken: Merged): boolean {
  const group = groupOf.get(name);
  if (group === undefined) return true;
  const known = group.names.filter((member) => taken.has(member));
  if (known.length === 0) return true;
  return group.rule === 'agreeing' && known.every((member) => agrees(member, fields, taken));
}

function agrees(name: FieldName, fields: LayerFields, taken: Merged): boolean {
  const above = taken.get(name)?.field[name]?.value;
  const below = fields[name]?.value;
  // Streets are spelled in many ways; their town decides.
  if (name === 'address' || above === undefined || below === undefined) return true;
  return nameLetters(String(above)).slice(0, 20) === nameLetters(String(below)).slice(0, 20);
}
