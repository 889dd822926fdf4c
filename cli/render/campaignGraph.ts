import type { Ansis } from 'ansis';
import type { SubRunView } from '../../src/schema/campaign.ts';
import type { SubRunStatus } from '../../src/schema/subRun.ts';
import { type GraphNode, graphLanes, levelsOf, NODE_CELL } from './graphLanes.ts';
import { printableLine } from './printable.ts';

/**
 * What is drawn of a sub-run; one that is not started yet has its name and its dependencies alone.
 */
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

const wordOf = ({ word, status }: DrawnSubRun): string => word ?? status;

const detail = ({ attempt, reason, waitsFor }: DrawnSubRun): string =>
  [
    attempt > 1 ? `attempt ${attempt}` : '',
    waitsFor === null ? '' : `waits ${waitsFor}`,
    reason ?? '',
  ]
    .filter(Boolean)
    .join('; ');

function legend(subRuns: readonly DrawnSubRun[], hasPath: boolean, color: Ansis): string {
  const shown = Object.entries(SIGNS).filter(([status]) =>
    subRuns.some((one) => one.status === status),
  );
  const signs = shown.map(([status, [sign, paint]]) => `${color[paint](sign)} ${status}`);
  return `${[...signs, ...(hasPath ? [`${color.bold(CRITICAL)} on the critical path`] : [])].join('  ')}\n`;
}

interface Row {
  /** Line above this one, with its line feed; mostly empty. */
  head: string;
  node: DrawnSubRun;
  /** The lines before the name, with NODE_CELL for the sign. */
  cells: string;
}

/** Those that neither wait nor are waited for: drawn one below the other they would look joined. */
function isolated(subRuns: readonly DrawnSubRun[]): Row[] {
  const awaited = new Set(subRuns.flatMap(({ dependsOn }) => dependsOn));
  const alone = subRuns.filter(
    ({ name, dependsOn }) => dependsOn.length === 0 && !awaited.has(name),
  );
  return alone.map((node, at) => ({
    head: at === 0 ? 'each on its own\n' : '',
    node,
    cells: NODE_CELL,
  }));
}

/** The words of a list where the picture would be too wide: level by level. */
function listed(subRuns: readonly DrawnSubRun[]): Row[] {
  const levels = levelsOf(subRuns);
  const levelOf = ({ name }: DrawnSubRun) => levels.get(name) ?? 0;
  const ordered = [...subRuns].sort((a, b) => levelOf(a) - levelOf(b));
  return ordered.map((node, at) => {
    const before = ordered[at - 1];
    const isNew = before === undefined || levelOf(before) !== levelOf(node);
    return { head: isNew ? `level ${levelOf(node) + 1}\n` : '', node, cells: NODE_CELL };
  });
}

/** Maximum number of names next to a sub-run that could not be drawn. */
const MAX_NAMES = 5;

const after = ({ dependsOn }: DrawnSubRun): string => {
  const more = dependsOn.length - MAX_NAMES;
  return `${dependsOn.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/**
 * The sub-runs of a campaign as a picture for a terminal, each below all that it waits for, with
 * sign, name, status and what there is to say of it; then what the signs mean. Where too many lines
 * would run side by side it is a list by levels. Rows are cut to `columns` (0 = unknown width).
 */
export function campaignGraph(
  subRuns: readonly DrawnSubRun[],
  criticalPath: readonly string[],
  { color, columns }: { color: Ansis; columns: number },
): string {
  const alone = isolated(subRuns);
  const apart = new Set(alone.map(({ node }) => node));
  const joined = subRuns.filter((one) => !apart.has(one));
  const drawn = graphLanes(joined)?.map((row): Row => ({ head: '', ...row })) ?? null;
  const rows = [...(drawn ?? listed(joined)), ...alone];
  const critical = new Set(criticalPath);
  const label = ({ name }: DrawnSubRun) =>
    `${printableLine(name)}${critical.has(name) ? CRITICAL : ''}`;
  const picture = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const names = Math.max(0, ...rows.map(({ node }) => label(node).length));
  const statuses = Math.max(0, ...rows.map(({ node }) => wordOf(node).length));
  const lines = rows.map(({ head, node, cells }) => {
    const [sign, paint] = SIGNS[node.status];
    const graph = cells
      .padEnd(picture)
      .split(NODE_CELL)
      .map((part) => color.dim(part))
      .join(color[paint](sign));
    const name = label(node).padEnd(names);
    const depends = drawn || node.dependsOn.length === 0 ? '' : `after ${after(node)}`;
    const said = printableLine([depends, detail(node)].filter(Boolean).join('; '));
    const room = columns - picture - names - statuses - 6;
    const cut =
      columns > 0 && [...said].length > room
        ? `${[...said].slice(0, Math.max(9, room - 1)).join('')}…`
        : said;
    const word = wordOf(node);
    const status = said === '' ? word : word.padEnd(statuses);
    const text = `${graph}  ${critical.has(node.name) ? color.bold(name) : name}  ${color[paint](status)}`;
    return `${color.bold(head)}${text}${cut === '' ? '' : `  ${cut}`}\n`;
  });
  return `${lines.join('')}\n${legend(subRuns, critical.size > 0, color)}`;
}
