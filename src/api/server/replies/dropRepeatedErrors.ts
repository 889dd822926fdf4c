import type { Validator } from 'typebox/compile';

export type SchemaError = ReturnType<Validator['Errors']>[number];

/**
 * Errors without what repeats itself. A value that may have several types is refused by each of them:
 * what is wrong with it in the type that it has says all; of one that has none of them, one error
 * names them together. Unions with fixed values stay as they are.
 */
export function dropRepeatedErrors(all: readonly SchemaError[]): SchemaError[] {
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
