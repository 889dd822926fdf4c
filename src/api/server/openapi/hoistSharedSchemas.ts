const PLACE = '#/components/schemas/';

/**
 * Moves the definitions inside recursive schemas (`$defs`) to the document, so that each is in it
 * once, under its name: client generators only follow references into the document.
 */
export function hoistSharedSchemas(value: unknown): {
  document: unknown;
  schemas: Record<string, unknown>;
} {
  const schemas: Record<string, unknown> = {};
  const names = new Set<string>();
  const lift = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(lift);
    if (typeof part !== 'object' || part === null) return part;
    const { $defs = {}, ...rest }: Record<string, unknown> = { ...part };
    for (const name of Object.keys(Object($defs))) names.add(name);
    for (const [name, definition] of Object.entries(Object($defs))) {
      const { $id: _, ...schema }: Record<string, unknown> = { ...Object(definition) };
      schemas[name] ??= lift(schema);
    }
    return Object.fromEntries(
      Object.entries(rest).map(([key, inner]) => {
        const shared = key === '$ref' && typeof inner === 'string' && names.has(inner);
        return [key, shared ? PLACE + inner : lift(inner)];
      }),
    );
  };
  return { document: lift(value), schemas };
}
