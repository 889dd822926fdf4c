/** The id of a tool server as programs write it in tool names. */
export const toPlainId = (id: string): string => id.replace(/[^A-Za-z0-9_-]/g, '_');

/**
 * Names of tool servers that every program takes, by id: codex refuses a server whose name has a
 * dot, and models refuse its tools. No two servers share a name.
 */
export function toPlainIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const takenIds = new Set(ids.filter((id) => toPlainId(id) === id));
  const names = new Map<string, string>();
  for (const id of ids) {
    const plain = toPlainId(id);
    let name = plain;
    for (let n = 2; name !== id && takenIds.has(name); n += 1) name = `${plain}_${n}`;
    takenIds.add(name);
    names.set(id, name);
  }
  return names;
}
