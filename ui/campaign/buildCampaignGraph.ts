import { describeSubRunStatus } from '../../src/base/jobs/describeSubRunStatus.ts';
import type { Campaign, SubRunView } from '../../src/contract/schema/job/campaign.ts';
import type { SubRunAction, SubRunStatus } from '../../src/contract/schema/job/subRun.ts';
import type { Graph, TextRow } from '../chart/picture/graph.ts';
import type { ChartItem } from '../chart/chartItems.ts';
import type { ChartLook } from '../chart/buildChartLook.ts';

type SubRunText = Pick<SubRunView, 'name' | 'description' | 'status' | 'attempt' | 'reason'>;

/** Longest line of a box, characters. */
const LINE_CHARS = 34;
/** Most lines of a description within its box; all of it is shown beside the picture. */
const LINES = 2;

/** The first lines of a text, broken between words; `…` where it continues. */
export function wrapFirstLines(text: string, chars: number, lines: number): string[] {
  const nameLines: string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const last = nameLines.at(-1);
    if (last !== undefined && last.length + word.length < chars)
      nameLines[nameLines.length - 1] = `${last} ${word}`;
    else nameLines.push(word.length > chars ? `${word.slice(0, chars - 1)}…` : word);
    if (nameLines.length > lines)
      return [...nameLines.slice(0, lines - 1), `${nameLines[lines - 1]} …`];
  }
  return nameLines.filter(Boolean);
}

const toSubRunRows = ({ description, attempt }: SubRunText): TextRow[] => [
  ...wrapFirstLines(description, LINE_CHARS, LINES).map((text) => ({
    role: 'note' as const,
    text,
  })),
  ...(attempt > 1 ? [{ role: 'note' as const, text: `attempt ${attempt}` }] : []),
];

/** Sub-runs in order of registration, each with a line to those that wait for it. */
export function buildCampaignGraph(
  subRuns: readonly (SubRunText & Pick<SubRunView, 'dependsOn'>)[],
  state: Campaign['state'] = 'dispatching',
): Graph {
  const knownNames = new Set(subRuns.map(({ name }) => name));
  return {
    nodes: subRuns.map((subRun) => ({
      id: subRun.name,
      kind: 'state' as const,
      title: subRun.name,
      tags: [describeStatusInCampaign(subRun.status, state)],
      rows: toSubRunRows(subRun),
      ways: [],
      children: [],
    })),
    edges: subRuns.flatMap(({ name, dependsOn }) =>
      dependsOn
        .filter((other) => knownNames.has(other))
        .map((other) => ({
          id: `${other}->${name}`,
          source: other,
          target: name,
          ways: [],
          bundle: [],
        })),
    ),
  };
}

/** How a status looks: what a person should look at first comes out first. */
export const TONE_OF: Readonly<
  Record<SubRunStatus, 'working' | 'waiting' | 'good' | 'bad' | 'over'>
> = {
  pending: 'waiting',
  ready: 'waiting',
  dispatched: 'working',
  complete: 'good',
  failed: 'bad',
  escalated: 'bad',
  skipped: 'over',
};

/**
 * Classes of the picture: the tone of each status, `critical` along the chain that decides when the
 * whole is done, `near` at what is chosen, `predicted` at what an action that was asked about would
 * change.
 */
export function buildCampaignLook(
  { subRuns, criticalPath }: Pick<Campaign, 'subRuns' | 'criticalPath'>,
  selectedItem: ChartItem | null,
  predictedPath: readonly string[],
): ChartLook {
  const critical = new Set(criticalPath);
  const steps = new Set(
    criticalPath.slice(1).map((name, index) => `${criticalPath[index]}->${name}`),
  );
  const boxes = subRuns.map(({ name, status }) => {
    const more = `${critical.has(name) ? ' critical' : ''}${predictedPath.includes(name) ? ' predicted' : ''}`;
    return [name, `tone-${TONE_OF[status]}${more}`] as const;
  });
  const edges = subRuns.flatMap(({ name, dependsOn }) =>
    dependsOn.flatMap((other) => {
      const id = `${other}->${name}`;
      const names = [
        steps.has(id) ? 'critical' : '',
        selectedItem?.id === other || selectedItem?.id === name ? 'near' : '',
      ];
      const classes = names.filter(Boolean).join(' ');
      return classes === '' ? [] : [[id, classes] as const];
    }),
  );
  return { boxes: new Map(boxes), ways: new Map(), edges: new Map(edges), notes: new Map() };
}

/** Counts by status, in order of life; statuses that none has are left out. */
export function countSubRunStatuses(
  subRuns: readonly Pick<SubRunView, 'status'>[],
): { status: SubRunStatus; count: number }[] {
  const order = [
    'complete',
    'dispatched',
    'ready',
    'pending',
    'skipped',
    'failed',
    'escalated',
  ] as const;
  return order.flatMap((status) => {
    const count = subRuns.filter((subRun) => subRun.status === status).length;
    return count === 0 ? [] : [{ status, count }];
  });
}

/** A status in words: one that could start does not while its campaign is halted or on hold. */
export const describeStatusInCampaign = (status: SubRunStatus, state: Campaign['state']): string =>
  describeSubRunStatus(status, state);

/** Actions that may suit a sub-run in its status; the runner decides in the end. */
export function listSubRunActions(
  { status, canUnskip = false }: Pick<SubRunView, 'status'> & { canUnskip?: boolean },
  state: Campaign['state'],
): SubRunAction[] {
  if (status === 'complete') return ['rerun'];
  if (status === 'dispatched') return ['cancel', 'skip'];
  if (status === 'failed' || status === 'escalated')
    return state === 'halted' ? ['rerun', 'skip', 'cancel'] : ['rerun', 'skip'];
  if (status === 'skipped') return canUnskip ? ['unskip', 'rerun'] : ['rerun'];
  return ['skip', 'cancel'];
}

export const describeSubRunBox = ({ name, status, dependsOn, waitsFor }: SubRunView): string =>
  `Sub-run ${name}, ${status}${dependsOn.length === 0 ? '' : `, depends on ${dependsOn.join(' and ')}`}${waitsFor ? `. Waiting ${waitsFor}` : ''}`;
