/**
 * Placeholders for folders in a command of an agent: `{layer}` the root of the layer that holds the
 * agent, `{job}` the job's folder, `{checkout}` the job's checkout.
 */
export const PLACEHOLDERS = ['layer', 'job', 'checkout'] as const;
export type PlaceholderValues = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

const PLACEHOLDER = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

export function findUnknownPlaceholders(argument: string): string[] {
  const names = [...argument.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '');
  return names.filter((name) => !(PLACEHOLDERS as readonly string[]).includes(name));
}

/** Fills in the placeholders of a command in one pass: braces in a value are left alone. */
export const fillCommand = (command: readonly string[], values: PlaceholderValues): string[] =>
  command.map((argument) =>
    argument.replace(PLACEHOLDER, (whole, name: string) =>
      Object.hasOwn(values, name) ? Reflect.get(values, name) : whole,
    ),
  );
