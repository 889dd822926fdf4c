import type { WayOut } from '../../kernel/questions.ts';
import type {
  ChartArrow,
  ChartNode,
  MachineReply,
} from '../../contract/schema/workflow/machine.ts';

/** Every state of the chart that is on the way to one of these leaf paths, innermost first. */
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
 * The arrows of the drawn chart that these transitions are. Both lists are innermost first, so of
 * arrows that look the same each way takes the innermost one that no earlier way has taken.
 */
export function listOpenArrows(
  root: ChartNode,
  leaves: readonly string[],
  ways: readonly WayOut[],
): MachineReply['open'] {
  const left = listActiveNodes(root, leaves).flatMap(({ arrows }) => arrows);
  return ways.flatMap((way) => {
    const arrow = left.find((one) => isArrowOfWay(one, way));
    if (arrow) left.splice(left.indexOf(arrow), 1);
    return arrow && way.open !== false ? [{ arrow: arrow.id, open: way.open }] : [];
  });
}
