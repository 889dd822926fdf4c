import type { ChartArrow, ChartNode } from '../../../src/contract/schema/workflow/machine.ts';
import { flattenStates } from './buildMachineGraph.ts';

/** A dot in a target would be read as a path to a state. */
const escapeStateTarget = (path: string): string => path.replace(/[.\\]/g, '\\$&');

/** Only the event tells which phase goto_phase names, so each such arrow has its own guard. */
const toXStateGuard = ({ event, guard, targets }: ChartArrow) =>
  event === 'tool.goto_phase' && guard === null && targets.length > 0
    ? { type: 'goesTo', params: { phase: targets[0] } }
    : guard && { type: guard.name };

/** States of a chart without groups are named by their path; those in groups by the id of the chart. */
type TargetName = (path: string) => string;

const toXStateTransition = (arrow: ChartArrow, nameTarget: TargetName) => {
  const { targets, guard, reenter, from, effects } = arrow;
  const condition = toXStateGuard(arrow);
  const names = targets.map(nameTarget);
  return {
    ...(names.length === 0 ? {} : { target: names.length === 1 ? names[0] : names }),
    ...(condition && { guard: condition }),
    ...(reenter && { reenter }),
    ...(effects.length > 0 && { actions: effects.map(({ name }) => ({ type: name })) }),
    ...(from === null && guard === null
      ? {}
      : { meta: { ...(from && { from }), ...(guard && { says: guard.says }) } }),
  };
};

interface XStateNode {
  type?: 'final' | 'parallel' | 'history';
  description?: string;
  tags?: string[];
  meta?: { waits: string[] };
  entry?: { type: string }[];
  exit?: { type: string }[];
  on?: Record<string, ReturnType<typeof toXStateTransition>[]>;
  always?: ReturnType<typeof toXStateTransition>[];
  initial?: string;
  states?: Record<string, XStateNode>;
}

function toXStateNode(node: ChartNode, nameTarget: TargetName): XStateNode {
  const { type, description, tags, waits, entry, exit, arrows, states } = node;
  const takenBy = (event: string) =>
    arrows
      .filter((arrow) => arrow.event === event)
      .map((arrow) => toXStateTransition(arrow, nameTarget));
  const events = new Set(arrows.map(({ event }) => event).filter((event) => event !== ''));
  const on = Object.fromEntries([...events].map((event) => [event, takenBy(event)]));
  const always = takenBy('');
  const toActions = (effects: ChartNode['entry']) => effects.map(({ name }) => ({ type: name }));
  return {
    ...((type === 'final' || type === 'parallel' || type === 'history') && { type }),
    ...(description !== null && { description }),
    ...(tags.length > 0 && { tags }),
    ...(waits.length > 0 && { meta: { waits } }),
    ...(entry.length > 0 && { entry: toActions(entry) }),
    ...(exit.length > 0 && { exit: toActions(exit) }),
    ...(events.size > 0 && { on }),
    ...(always.length > 0 && { always }),
    ...(states.length > 0 && listXStateNodes(node, nameTarget)),
  };
}

const listXStateNodes = ({ initial, states }: ChartNode, nameTarget: TargetName) => ({
  ...(initial !== null && {
    initial: states.find(({ path }) => path === initial)?.name ?? initial,
  }),
  states: Object.fromEntries(states.map((state) => [state.name, toXStateNode(state, nameTarget)])),
});

/** A chart as config for XState's createMachine. Guards and actions are names: provide them. */
export function toXStateConfig(id: string, chart: ChartNode) {
  const { initial, states } = chart;
  if (states.some((state) => state.states.length > 0))
    return { ...toXStateNode(chart, (path) => (path === '' ? `#${id}` : `#${id}.${path}`)), id };
  // The names of phases are their authors', and may be longer than the last part of a path.
  return {
    id,
    ...(initial !== null && { initial }),
    states: Object.fromEntries(
      states.map((state) => [state.path, toXStateNode(state, escapeStateTarget)]),
    ),
  };
}

export function renderXStateModule(id: string, chart: ChartNode): string {
  const config = JSON.stringify(toXStateConfig(id, chart), null, 2);
  const arrows = flattenStates(chart).flatMap((state) => state.arrows);
  const guards = new Set(arrows.flatMap(({ guard }) => guard?.name ?? []));
  const goes = arrows.some((arrow) => toXStateGuard(arrow)?.type === 'goesTo');
  const names = [...guards, ...(goes ? ['goesTo'] : [])].map((name) => JSON.stringify(name));
  const provide = names.length === 0 ? '' : `\n// Guards to provide: ${names.join(', ')}.`;
  return `import { createMachine } from 'xstate';\n${provide}\nexport const machine = createMachine(${config});\n`;
}
