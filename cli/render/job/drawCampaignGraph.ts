import type { Ansis } from 'ansis';
import type { SubRunView } from '../../../src/contract/schema/job/campaign.ts';
import type { SubRunStatus } from '../../../src/contract/schema/job/subRun.ts';
import { type GraphNode, drawGraphLanes, computeNodeLevels, NODE_CELL } from './drawGraphLanes.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

/** A sub-run in the picture; before it starts, only its name and dependencies. */
export type DrawnSubRun = GraphNode &
  Pick<SubRunView, 'status' | 'attempt' | 'reason' | 'waitsFor'> & {
    /** The status in words. Default: the status itself. */
    word?: string;
  };

type Paint = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'magenta';

const SIGNS: Readonly<Record<SubRunStatus, readonly [sign: string, paint: Paint]>> = {
  pending: ['○', 'dim'],
  ready: ['◎', 'yellow'],
  dispatched: ['▶', 'cyan'],
  complete: ['✔', 'green'],
  failed: ['✖', 'red'],
  escalated: ['▲', 'magenta'],
  skipped: ['⊘', 'dim'],
};
/** Marks the names of the critical path: not everyone can see colours. */
const CRITICAL = '!';

const pickStatusWord = ({ word, status }: DrawnSubRun): string => word ?? status;

const describeDrawnSubRun = ({ attempt, reason, waitsFor }: DrawnSubRun): string =>
  [
    attempt > 1 ? `attempt ${attempt}` : '',
    waitsFor === null ? '' : `waits ${waitsFor}`,
    reason ?? '',
  ]
    .filter(Boolean)
    .join('; ');

function formatGraphLegend(
  subRuns: readonly DrawnSubRun[],
  hasPath: boolean,
  color: Ansis,
): string {
  const shownSigns = Object.entries(SIGNS).filter(([status]) =>
    subRuns.some((one) => one.status === status),
  );
  const signs = shownSigns.map(([status, [sign, paint]]) => `${color[paint](sign)} ${status}`);
  return `${[...signs, ...(hasPath ? [`${color.bold(CRITICAL)} on the critical path`] : [])].join('  ')}\n`;
}

interface DrawnRow {
  /** Line above this one, with its line feed; mostly empty. */
  head: string;
  node: DrawnSubRun;
  /** The lines before the name, with NODE_CELL for the sign. */
  cells: string;
}

/** Those that neither wait nor are waited for: drawn one below the other they would look joined. */
function drawIsolatedSubRuns(subRuns: readonly DrawnSubRun[]): DrawnRow[] {
  const dependencyNames = new Set(subRuns.flatMap(({ dependsOn }) => dependsOn));
  const alone = subRuns.filter(
    ({ name, dependsOn }) => dependsOn.length === 0 && !dependencyNames.has(name),
  );
  return alone.map((node, at) => ({
    head: at === 0 ? 'each on its own\n' : '',
    node,
    cells: NODE_CELL,
  }));
}

function drawSubRunsByLevel(subRuns: readonly DrawnSubRun[]): DrawnRow[] {
  const levels = computeNodeLevels(subRuns);
  const getLevel = ({ name }: DrawnSubRun) => levels.get(name) ?? 0;
  const orderedSubRuns = [...subRuns].sort((a, b) => getLevel(a) - getLevel(b));
  return orderedSubRuns.map((node, at) => {
    const before = orderedSubRuns[at - 1];
    const isNew = before === undefined || getLevel(before) !== getLevel(node);
    return { head: isNew ? `level ${getLevel(node) + 1}\n` : '', node, cells: NODE_CELL };
  });
}

const MAX_NAMES = 5;

const describeDependencies = ({ dependsOn }: DrawnSubRun): string => {
  const more = dependsOn.length - MAX_NAMES;
  return `${dependsOn.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/**
 * The sub-runs of a campaign as a picture for a terminal, each below all that it waits for, with
 * sign, name, status and what there is to say of it; then what the signs mean. Where too many lines
 * would run side by side it is a list by levels. Rows are cut to `columns` (0 = unknown width).
 */
export function drawCampaignGraph(
  subRuns: readonly DrawnSubRun[],
  criticalPath: readonly string[],
  { color, columns }: { color: Ansis; columns: number },
): string {
  const alone = drawIsolatedSubRuns(subRuns);
  const apart = new Set(alone.map(({ node }) => node));
  const joined = subRuns.filter((one) => !apart.has(one));
  const drawnRows = drawGraphLanes(joined)?.map((row): DrawnRow => ({ head: '', ...row })) ?? null;
  const rows = [...(drawnRows ?? drawSubRunsByLevel(joined)), ...alone];
  const critical = new Set(criticalPath);
  const label = ({ name }: DrawnSubRun) =>
    `${toPrintableLine(name)}${critical.has(name) ? CRITICAL : ''}`;
  const picture = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const names = Math.max(0, ...rows.map(({ node }) => label(node).length));
  const statuses = Math.max(0, ...rows.map(({ node }) => pickStatusWord(node).length));
  const lines = rows.map(({ head, node, cells }) => {
    const [sign, paint] = SIGNS[node.status];
    const graph = cells
      .padEnd(picture)
      .split(NODE_CELL)
      .map((part) => color.dim(part))
      .join(color[paint](sign));
    const name = label(node).padEnd(names);
    const depends =
      drawnRows || node.dependsOn.length === 0 ? '' : `after ${describeDependencies(node)}`;
    const line = toPrintableLine([depends, describeDrawnSubRun(node)].filter(Boolean).join('; '));
    const room = columns - picture - names - statuses - 6;
    const cut =
      columns > 0 && [...line].length > room
        ? `${[...line].slice(0, Math.max(9, room - 1)).join('')}…`
        : line;
    const word = pickStatusWord(node);
    const status = line === '' ? word : word.padEnd(statuses);
    const text = `${graph}  ${critical.has(node.name) ? color.bold(name) : name}  ${color[paint](status)}`;
    return `${color.bold(head)}${text}${cut === '' ? '' : `  ${cut}`}\n`;
  });
  return `${lines.join('')}\n${formatGraphLegend(subRuns, critical.size > 0, color)}`;
}
