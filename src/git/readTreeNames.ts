/** Bytes of an object's id in a tree: SHA-1. */
const ID_BYTES = 20;

/** The names in a tree object, as its bytes hold them. Stops where it is malformed. */
export function readTreeNames(tree: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < tree.length; ) {
    const name = tree.indexOf(0x20, at) + 1;
    const end = name === 0 ? -1 : tree.indexOf(0, name);
    if (end === -1) break;
    names.push(tree.toString('utf8', name, end));
    at = end + 1 + ID_BYTES;
  }
  return names;
}
