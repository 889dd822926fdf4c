/** Part of an OpenAPI document that schemas which are named stand in. */
const PLACE = '#/components/schemas/';

/**
 * Takes the definitions that recursive schemas carry with them (`$defs`) out of a document, so that
 * each stands in it once, under its name: generators of clients follow references into the document
 * and nothing else.
 */
export function withSharedSchemas(value: unknown): {
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
