import type { ChartArrow, ChartNode } from '../../../src/contract/schema/workflow/machine.ts';
import { toArrowRows, toEffectRows, type Wording } from './arrowText.ts';
import { buildStateFamily, type StateFamily } from './buildStateFamily.ts';
import type { Graph, GraphEdge, GraphNode, GraphWay, TextRow } from './graph.ts';
import { formatArrowCount, type TransitionCounts } from './matchTransitions.ts';
import { toPlainState } from './plainWords.ts';

/** Longest line of a name in a box, characters. */
const LINE_CHARS = 30;

/**
 * A long name on several lines, broken after `-`, `_`, `.` or a space where that is possible: a box
 * as wide as its name would not fit beside the others.
 */
export function wrapName(name: string, chars = LINE_CHARS): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of name.split(/(?<=[-_. ])/)) {
    if (line !== '' && line.length + part.length > chars) {
      lines.push(line);
      line = '';
    }
    line += part;
    while (line.length > chars) {
      lines.push(line.slice(0, chars));
      line = line.slice(chars);
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

export interface GraphOptions extends Wording {
  /** Whether arrows that cross a group's border are drawn as one line between groups. */
  bundled: boolean;
  /** How often each arrow was taken, which is written on it. Default: nothing is. */
  counts?: TransitionCounts | null;
  /** Paths of groups whose states are not drawn; lines lead to the group. Default: none. */
  folded?: ReadonlySet<string>;
  /** States and lines alone: what arrows say is in the panel of a state. Default: false. */
  brief?: boolean;
}

/** With more arrows than this a chart of the system is first drawn in brief. */
const BRIEF_FROM = 12;

/** Whether a chart has so many arrows between its states that their texts would need several screens. */
export const isCrowded = (root: ChartNode): boolean =>
  flattenStates(root).flatMap(({ path, arrows }) =>
    arrows.filter((arrow) => !staysInState(arrow, path)),
  ).length > BRIEF_FROM;

/** How often an arrow, or arrows that are drawn together, were taken. */
function toCountRows(arrows: readonly ChartArrow[], { counts }: GraphOptions): TextRow[] {
  if (!counts) return [];
  const sum = { times: 0, failed: 0 };
  for (const { id } of arrows) {
    sum.times += counts.arrows.get(id)?.times ?? 0;
    sum.failed += counts.arrows.get(id)?.failed ?? 0;
  }
  const [times, failed] = formatArrowCount(sum);
  return [
    { role: 'count', text: times },
    ...(failed === null ? [] : [{ role: 'failed' as const, text: failed }]),
  ];
}

/** Id of the mark from which the initial state of `path` is entered. */
export const toStartMarkId = (path: string): string => `${path}//start`;

/** It leads nowhere else: at most the state itself is left and entered again. */
export const staysInState = ({ targets }: Pick<ChartArrow, 'targets'>, path: string): boolean =>
  targets.every((target) => target === path);

/** The root is drawn as a box only if something is drawn at its edge. */
const isFramed = (root: ChartNode): boolean =>
  root.type === 'parallel' || root.arrows.some((arrow) => !staysInState(arrow, root.path));

const createNoteRow = (text: string): TextRow => ({ role: 'note', text });

function toStateRows(node: ChartNode, wording: GraphOptions): TextRow[] {
  const stayingArrows = node.arrows.filter(
    (arrow) => arrow.event !== '' && staysInState(arrow, node.path),
  );
  const [first, ...others] = new Set(stayingArrows.map(({ event }) => event));
  const failedIn = wording.counts?.failedIn.get(node.path) ?? 0;
  if (wording.brief) return node.description?.split(' · ').map(createNoteRow) ?? [];
  return [
    ...(node.description?.split(' · ').map(createNoteRow) ?? []),
    ...(wording.plain && !wording.allEffects
      ? []
      : [
          ...toEffectRows('entry /', node.entry, wording),
          ...toEffectRows('exit /', node.exit, wording),
        ]),
    ...(first === undefined
      ? []
      : [
          createNoteRow(
            others.length === 0
              ? wording.plain
                ? '1 internal event'
                : `internal: ${first}`
              : `${others.length + 1} internal events`,
          ),
          ...toCountRows(stayingArrows, wording).map(({ role, text }) => ({
            role,
            text: `here ${text}`,
          })),
        ]),
    ...(failedIn === 0
      ? []
      : [
          {
            role: 'failed' as const,
            text: `${failedIn} ${failedIn === 1 ? 'run' : 'runs'} failed here`,
          },
        ]),
  ];
}

const KINDS = {
  atomic: 'state',
  compound: 'group',
  parallel: 'group',
  final: 'final',
  history: 'history',
} as const;

/** A line, or several that lead the same way, while it is being collected. */
type CollectedEdge = GraphEdge & { ways: GraphWay[]; bundle: string[] };

class EdgeCollection {
  readonly edges = new Map<string, CollectedEdge>();
  /** Path of a state → ways that are written into it. */
  readonly inside = new Map<string, GraphWay[]>();
  readonly #options: GraphOptions;
  readonly #family: StateFamily;

  constructor(options: GraphOptions, family: StateFamily) {
    this.#options = options;
    this.#family = family;
  }

  edge(source: string, target: string, kind: 'way' | 'bundle' = 'way'): CollectedEdge {
    const id = `${source}${kind === 'way' ? '->' : '=>'}${target}`;
    const edge = this.edges.get(id) ?? { id, source, target, ways: [], bundle: [] };
    this.edges.set(id, edge);
    return edge;
  }

  /** What leaves a folded group is one line, which says how many arrows it is. */
  addFolded(group: string, arrow: ChartArrow, target: string): void {
    if (group === target) return;
    const { bundle } = this.edge(group, target, 'bundle');
    if (!bundle.includes(arrow.id)) bundle.push(arrow.id);
  }

  /** What leads into a folded group has its own text. */
  addInto(source: string, arrow: ChartArrow, group: string): void {
    if (source === group || group === '') return;
    const rows = [...toArrowRows(arrow, this.#options), ...toCountRows([arrow], this.#options)];
    const { ways } = this.edge(source, group);
    if (!ways.some((way) => way.arrow === arrow.id)) ways.push({ arrow: arrow.id, rows });
  }

  add(source: string, arrow: ChartArrow, target: string): void {
    const rows = [...toArrowRows(arrow, this.#options), ...toCountRows([arrow], this.#options)];
    const border = this.#options.bundled ? this.#family.borderBetween(source, target) : null;
    if (border === null) {
      this.edge(source, target).ways.push({ arrow: arrow.id, rows });
      return;
    }
    const to: TextRow = {
      role: 'target',
      text: `→ ${pickStateTitle({ path: target, name: this.#family.describeState(target) }, this.#options)}`,
    };
    const does = rows.findIndex(({ role }) => role === 'effect');
    const says = does < 0 ? rows : rows.slice(0, does);
    const way = { arrow: arrow.id, rows: [...says, to, ...rows.slice(says.length)] };
    if (border.from === source) {
      this.edge(source, border.to).ways.push(way);
      return;
    }
    this.inside.set(source, [...(this.inside.get(source) ?? []), way]);
    this.edge(border.from, border.to, 'bundle').bundle.push(arrow.id);
  }
}

const pickStateTitle = (
  { path, name }: Pick<ChartNode, 'path' | 'name'>,
  { plain }: GraphOptions,
): string => (plain === 'actor' ? toPlainState(path, name) : name);

function toStateNode(
  node: ChartNode,
  inParallel: boolean,
  options: GraphOptions,
  inside: EdgeCollection['inside'],
): GraphNode {
  const empty = { tags: [], rows: [], ways: [], children: [] };
  const isFolded = options.folded?.has(node.path) === true;
  const start: GraphNode[] =
    node.initial === null || isFolded
      ? []
      : [{ ...empty, id: toStartMarkId(node.path), kind: 'start', title: '' }];
  const children = (isFolded ? [] : node.states).map((child) =>
    toStateNode(child, node.type === 'parallel', options, inside),
  );
  const round = node.type === 'final' || node.type === 'history';
  const [title = '', ...more] = round
    ? [pickStateTitle(node, options)]
    : wrapName(pickStateTitle(node, options));
  return {
    id: node.path,
    kind: inParallel && node.states.length > 0 ? 'region' : KINDS[node.type],
    title,
    tags: isFolded ? [...node.tags, `${node.states.length} states`] : node.tags,
    rows: [
      ...more.map((text): TextRow => ({ role: 'title', text })),
      ...toStateRows(node, options),
    ],
    ways: inside.get(node.path) ?? [],
    children: [...start, ...children],
  };
}

/** Every state of a chart, outer ones first. */
export const flattenStates = (node: ChartNode): ChartNode[] => [
  node,
  ...node.states.flatMap(flattenStates),
];

/** The graph of a chart: states and the edges between them; other arrows are listed in a state. */
export function buildMachineGraph(root: ChartNode, options: GraphOptions): Graph {
  const all = flattenStates(root);
  const family = buildStateFamily(root);
  const { folded = new Set<string>() } = options;
  const collection = new EdgeCollection(options, family);
  const boxOf = (path: string): string =>
    family.listChain(path).findLast((one) => folded.has(one)) ?? path;
  for (const node of all) {
    const from = boxOf(node.path);
    // A workflow that is being written may name a phase that does not exist yet.
    if (node.initial !== null && family.has(node.initial) && !folded.has(from))
      collection.edge(toStartMarkId(node.path), boxOf(node.initial));
    for (const arrow of node.arrows.filter((one) => !staysInState(one, node.path)))
      for (const target of new Set(arrow.targets)) {
        if (!family.has(target)) continue;
        const to = boxOf(target);
        if (folded.has(from)) collection.addFolded(from, arrow, to);
        else if (folded.has(to)) collection.addInto(from, arrow, to);
        else collection.add(node.path, arrow, target);
      }
  }
  const graphNode = toStateNode(root, false, options, collection.inside);
  return {
    nodes: isFramed(root) ? [graphNode] : graphNode.children,
    edges: options.brief
      ? [...collection.edges.values()].map((edge) => ({ ...edge, ways: [] }))
      : [...collection.edges.values()],
  };
}

/** With more far arrows than this their lines hide the rest, so they are bundled at first. */
export const BUNDLE_FROM = 8;

/** Counts arrows that cross a group's border at both ends: their lines would lead far. */
export function countFarArrows(root: ChartNode): number {
  const family = buildStateFamily(root);
  return flattenStates(root).flatMap(({ path, arrows }) =>
    arrows.filter((arrow) =>
      arrow.targets.some(
        (target) => family.has(target) && family.borderBetween(path, target) !== null,
      ),
    ),
  ).length;
}
