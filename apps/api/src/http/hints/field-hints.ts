import { getMetadataStorage, type ValidationError } from 'class-validator';
import { closestName } from './closest-name.js';

/** Further mistakes of one body that are listed beside the first. */
const MAX_FURTHER = 3;
const MAX_SHOWN_CHARS = 64;

/** Suggests the known field closest to an unknown one; null if none is close. */
export function unknownFieldHint(name: string, dto: object): string | null {
  const meant = closestName(name, fieldsOf(dto));
  return meant === null ? null : `Did you mean \`${meant}\`?`;
}

function fieldsOf({ constructor }: object): readonly string[] {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(
    constructor,
    constructor.name,
    false,
    false,
  );
  return [...new Set(metadata.map(({ propertyName }) => propertyName))];
}

/** How to send a value of the right type. */
export function typeHint({ property, value, constraints = {} }: ValidationError): string | null {
  if (property === 'url' && typeof value !== 'string' && value !== undefined && value !== null)
    return '`url` must be a string, such as "https://example.com/".';
  if (typeof value !== 'string' || value.length > MAX_SHOWN_CHARS) return null;
  const isQuoted =
    ('isBoolean' in constraints && /^(true|false)$/.test(value)) ||
    (('isInt' in constraints || 'isNumber' in constraints) && /^-?\d+(\.\d+)?$/.test(value));
  if (isQuoted) return `Send it without quotes: {"${property}": ${value}}.`;
  return 'isArray' in constraints
    ? `Send a list: {"${property}": [${JSON.stringify(value)}]}.`
    : null;
}

/** The other mistakes of the body, so that they can be fixed in one go. */
export function furtherHint(errors: readonly ValidationError[], dto: object): string | null {
  if (errors.length === 0) return null;
  const named = errors.slice(0, MAX_FURTHER).map((error) => mistakeOf(error, dto));
  const left = errors.length - named.length;
  return `${named.join(' ')}${left > 0 ? ` And ${left} more.` : ''}`;
}

function mistakeOf(error: ValidationError, dto: object): string {
  const { property, constraints = {} } = error;
  if ('whitelistValidation' in constraints) {
    const meant = unknownFieldHint(property, dto);
    return `Unknown field \`${shortened(property)}\`${meant === null ? '.' : `: d${meant.slice(1)}`}`;
  }
  return `${ruleBroken(error)}.`;
}

/** The first rule that a field breaks. One that is not sent breaks all of them. */
export function ruleBroken({ property, value, constraints = {} }: ValidationError): string {
  const name = `\`${shortened(property)}\``;
  if (value === undefined || value === null) return `${name} is required`;
  return Object.values(constraints)[0] ?? `${name} is not valid`;
}

export function shortened(name: string): string {
  return name.length > MAX_SHOWN_CHARS ? `${name.slice(0, MAX_SHOWN_CHARS)}…` : name;
}
