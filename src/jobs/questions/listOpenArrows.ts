import type { WayOut } from '../../kernel/questions.ts';
import type {
  ChartArrow,
  ChartNode,
  MachineReply,
} from '../../contract/schema/workflow/machine.ts';

/** Every state on the way to these leaf paths, innermost first. */
function listActiveNodes(root: ChartNode, leaves: readonly string[]): ChartNode[] {
  const isOn = ({ path }: ChartNode) =>
    path === '' || leaves.some((leaf) => leaf === path || leaf.startsWith(`${path}.`));
  const below = (node: ChartNode): ChartNode[] =>
    isOn(node) ? [...node.states.flatMap(below), node] : [];
  return below(root);
}

const isArrowOfWay = ({ event, targets, guard }: ChartArrow, way: WayOut): boolean =>
  event === way.event &&
  (targets.join(' & ') || null) === way.target &&
  (guard?.name ?? null) === (way.guards[0]?.name ?? null);

/**
 * The arrows of the drawn chart for these transitions. Both lists are innermost first, so each
 * transition takes the innermost matching arrow that is not yet taken.
 */
export function listOpenArrows(
  root: ChartNode,
  leaves: readonly string[],
  ways: readonly WayOut[],
): MachineReply['open'] {
  const openArrows = listActiveNodes(root, leaves).flatMap(({ arrows }) => arrows);
  return ways.flatMap((way) => {
    const arrow = openArrows.find((one) => isArrowOfWay(one, way));
    if (arrow) openArrows.splice(openArrows.indexOf(arrow), 1);
    return arrow && way.open !== false ? [{ arrow: arrow.id, open: way.open }] : [];
  });
}
