/** A thing that waits for others; names that nothing has are left out of the picture. */
export interface GraphNode {
  name: string;
  dependsOn: readonly string[];
}

/** The level of each node: 0 without dependencies, else one more than its deepest dependency. */
export function computeNodeLevels(nodes: readonly GraphNode[]): Map<string, number> {
  const levels = new Map<string, number>();
  const open = new Map(nodes.map(({ name, dependsOn }) => [name, new Set(dependsOn)]));
  for (const waits of open.values())
    for (const name of waits) if (!open.has(name)) waits.delete(name);
  // Nodes of a cycle never become free and stand on the last level; such a graph is refused before
  // it can run.
  for (let level = 0; open.size > 0; level++) {
    const free = [...open].filter(([, waits]) => waits.size === 0).map(([name]) => name);
    const lanes = free.length > 0 ? free : [...open.keys()];
    for (const name of lanes) {
      levels.set(name, level);
      open.delete(name);
    }
    for (const waits of open.values()) for (const name of lanes) waits.delete(name);
  }
  return levels;
}

/** Where the node itself goes: a cell that can hold any sign. */
export const NODE_CELL = '*';

export interface LaneRow<Node> {
  node: Node;
  /** One character per column and one between columns; {@link NODE_CELL} = node; trimmed. */
  cells: string;
}

/**
 * Maximum number of parallel lanes; with more, a line can no longer be followed.
 */
const MAX_LANES = 16;

interface Lane {
  name: string;
  left: number;
}

/** The row of a node in `column`, fed by the lanes in `from`, some of which end here. */
function drawRow(lanes: readonly (Lane | null)[], column: number, from: readonly number[]): string {
  const first = Math.min(column, ...from);
  const last = Math.max(column, ...from);
  const cells: string[] = [];
  for (let at = 0; at < Math.max(lanes.length, last + 1); at++) {
    const lane = lanes[at] ?? null;
    const goesOn = lane !== null && lane.left > 0;
    const across = at > first && at < last;
    if (at === column) cells.push(NODE_CELL);
    else if (!from.includes(at)) cells.push(lane ? '│' : across ? '─' : ' ');
    else if (across) cells.push(goesOn ? '┼' : '┴');
    else if (at < column) cells.push(goesOn ? '├' : '╰');
    else cells.push(goesOn ? '┤' : '╯');
    cells.push(at >= first && at < last ? '─' : ' ');
  }
  return cells.join('').trimEnd();
}

/**
 * The graph from top to bottom, one row per node, level by level: a node is below all its
 * dependencies, with a line to each of them. `│` with `─` at its sides is a line that is crossed,
 * `┼` one that is joined. Null where the picture would need more than {@link MAX_LANES} lines side
 * by side.
 */
export function drawGraphLanes<Node extends GraphNode>(
  nodes: readonly Node[],
): LaneRow<Node>[] | null {
  const levels = computeNodeLevels(nodes);
  const followers = new Map<string, number>(nodes.map(({ name }) => [name, 0]));
  for (const { dependsOn } of nodes)
    for (const name of new Set(dependsOn)) followers.set(name, (followers.get(name) ?? 0) + 1);
  const lanes: (Lane | null)[] = [];
  const rows: LaneRow<Node>[] = [];
  /** Columns with something in the row above: a node below it would look joined to it. */
  let above = '';
  const orderedNodes = [...nodes].sort(
    (a, b) => (levels.get(a.name) ?? 0) - (levels.get(b.name) ?? 0),
  );
  for (const node of orderedNodes) {
    const from = lanes.flatMap((lane, at) =>
      lane && node.dependsOn.includes(lane.name) ? [at] : [],
    );
    for (const at of from) {
      const lane = lanes[at];
      if (lane) lane.left--;
    }
    let column = from.find((at) => lanes[at]?.left === 0) ?? -1;
    if (column === -1) {
      const after = Math.max(-1, ...from);
      column = after + 1;
      while ((lanes[column] ?? null) !== null || (above[column * 2] ?? ' ') !== ' ') column++;
    }
    if (column >= MAX_LANES) return null;
    above = drawRow(lanes, column, from);
    rows.push({ node, cells: above });
    for (const at of from) if (lanes[at]?.left === 0) lanes[at] = null;
    const followerCount = followers.get(node.name) ?? 0;
    lanes[column] = followerCount > 0 ? { name: node.name, left: followerCount } : null;
    while (lanes.length > 0 && lanes.at(-1) === null) lanes.pop();
  }
  return rows;
}
