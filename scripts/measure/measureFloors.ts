/** The room of a file: a folder right below `src`, or a folder of the project such as `cli`. */
export const findRoom = (file: string): string => {
  const parts = file.split('/');
  return parts[0] === 'src' && parts.length > 2 ? `src/${parts[1]}` : (parts[0] ?? file);
};

/**
 * How many floors the rooms need so that each imports only from floors below. Rooms that import
 * each other share a floor.
 *
 * @param imports For each file, the files it imports.
 */
export function measureFloors(imports: ReadonlyMap<string, readonly string[]>): number {
  const below = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const room = findRoom(file);
    const rooms = below.get(room) ?? new Set();
    below.set(room, rooms);
    for (const target of targets) if (findRoom(target) !== room) rooms.add(findRoom(target));
  }
  const heights = new Map<string, number>();
  const measureHeight = (room: string, above: readonly string[]): number => {
    const known = heights.get(room);
    if (known !== undefined) return known;
    const lower = [...(below.get(room) ?? [])].filter((other) => !above.includes(other));
    const height = 1 + Math.max(0, ...lower.map((other) => measureHeight(other, [...above, room])));
    heights.set(room, height);
    return height;
  };
  return Math.max(0, ...[...below.keys()].map((room) => measureHeight(room, [])));
}
