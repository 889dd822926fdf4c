import type Type from 'typebox';
import type { Validator } from 'typebox/compile';
import { findClosestName } from '../../../base/text/findClosestName.ts';
import type { FieldError } from '../../../base/errors/errors.ts';

type SchemaError = ReturnType<Validator['Errors']>[number];

/**
 * Errors without what repeats itself. A value that may have several types is refused by each of them:
 * what is wrong with it in the type that it has says all; of one that has none of them, one error
 * names them together. Unions with fixed values stay as they are.
 */
function dropRepeatedErrors(all: readonly SchemaError[]): SchemaError[] {
  let rest = [...all];
  for (const union of all.filter(({ keyword }) => keyword === 'anyOf')) {
    const branches = all.filter((one) => one.schemaPath.startsWith(`${union.schemaPath}/anyOf/`));
    const types = branches.filter(
      (one) => one.keyword === 'type' && one.instancePath === union.instancePath,
    );
    const [first] = types;
    if (first === undefined || branches.some(({ keyword }) => keyword === 'const')) continue;
    const names = types.flatMap((one) => (one.keyword === 'type' ? one.params.type : []));
    const together = { ...first, message: `must be ${names.join(' or ')}` };
    rest = rest
      .filter((one) => one !== union && (one === first || !types.includes(one)))
      .flatMap((one) =>
        one !== first ? [one] : types.length === branches.length ? [together] : [],
      );
  }
  return rest;
}

const MAX_FIELD_ERRORS = 50;

const escapePointerPart = (name: string): string =>
  name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Names of the fields that the object at `pointer` may have; none for a map with free names. */
function listKnownFields(schema: Type.TSchema, pointer: string): string[] {
  let here: unknown = schema;
  for (const segment of ['', ...pointer.split('/').slice(1)]) {
    const properties: unknown =
      typeof here === 'object' && here !== null && 'properties' in here
        ? here.properties
        : undefined;
    if (segment === '') continue;
    here =
      typeof properties === 'object' && properties !== null
        ? Reflect.get(properties, segment)
        : undefined;
  }
  return typeof here === 'object' && here !== null && 'properties' in here
    ? Object.keys(Object(here.properties))
    : [];
}

function describeUnknownField(name: string, knownNames: readonly string[]): string {
  const closest = findClosestName(name, knownNames);
  if (closest !== null) return `is not known here; did you mean "${closest}"?`;
  return knownNames.length > 0
    ? `is not known here; known are ${knownNames.join(', ')}`
    : 'is not known here; nothing is expected';
}

function describeSchemaError(
  error: SchemaError,
  all: readonly SchemaError[],
  schema: Type.TSchema,
): FieldError[] {
  const { instancePath: pointer } = error;
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        pointer: `${pointer}/${escapePointerPart(name)}`,
        message: 'is missing',
      }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({
        pointer: `${pointer}/${escapePointerPart(name)}`,
        message: describeUnknownField(name, listKnownFields(schema, pointer)),
      }));
    case 'anyOf': {
      const allowedValues = all.flatMap((other) =>
        other.keyword === 'const' && other.instancePath === pointer
          ? [JSON.stringify(other.params.allowedValue)]
          : [],
      );
      return [
        {
          pointer,
          message:
            allowedValues.length > 0
              ? `must be one of ${allowedValues.join(', ')}`
              : 'matches none of the allowed forms',
        },
      ];
    }
    case 'boolean':
      // additionalProperties has already reported it, with the name.
      return [];
    case 'const':
      return all.some((other) => other.keyword === 'anyOf' && other.instancePath === pointer)
        ? []
        : [{ pointer, message: `must be ${JSON.stringify(error.params.allowedValue)}` }];
    default:
      return [{ pointer, message: rewordComparison(error.message) }];
  }
}

const COMPARED: Readonly<Record<string, string>> = {
  '>': 'above',
  '<': 'below',
  '>=': 'at least',
  '<=': 'at most',
};

/** `must be > 0` → `must be above 0`. */
const rewordComparison = (message: string): string =>
  message.replace(/^must be ([<>]=?) /, (whole, sign: string) =>
    sign in COMPARED ? `must be ${COMPARED[sign]} ` : whole,
  );

export const describeFieldErrors = (validator: Validator, value: unknown): FieldError[] => {
  const all = dropRepeatedErrors(validator.Errors(value));
  return all
    .flatMap((error) => describeSchemaError(error, all, validator.Type()))
    .slice(0, MAX_FIELD_ERRORS);
};

export function joinFieldErrors(errors: readonly FieldError[]): string {
  const first = errors
    .slice(0, 3)
    .map(({ pointer, message }) => `${pointer === '' ? 'it' : pointer} ${message}`);
  return `${first.join('; ')}${errors.length > first.length ? `; and ${errors.length - first.length} more` : ''}.`;
}
