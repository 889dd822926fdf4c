import type { ChartArrow, ChartNode } from '../../../src/contract/schema/workflow/machine.ts';

/** A dot in a target would be read as a path to a state. */
const escapeStateTarget = (path: string): string => path.replace(/[.\\]/g, '\\$&');

/** Only the event tells which phase goto_phase names, so each such arrow has its own guard. */
const toXStateGuard = ({ event, guard, targets }: ChartArrow) =>
  event === 'tool.goto_phase'
    ? { type: 'goesTo', params: { phase: targets[0] } }
    : guard && { type: guard.name };

const toXStateTransition = (arrow: ChartArrow) => {
  const { targets, guard, reenter, from } = arrow;
  const condition = toXStateGuard(arrow);
  return {
    ...(targets[0] === undefined ? {} : { target: escapeStateTarget(targets[0]) }),
    ...(condition && { guard: condition }),
    ...(reenter && { reenter }),
    ...(from === null && guard === null
      ? {}
      : { meta: { ...(from && { from }), ...(guard && { says: guard.says }) } }),
  };
};

const toXStateNode = ({ type, description, tags, waits, entry, arrows }: ChartNode) => {
  if (type === 'final') return { type };
  const takenBy = (type: string) =>
    arrows.filter(({ event }) => event === type).map(toXStateTransition);
  const events = new Set(arrows.map(({ event }) => event).filter((event) => event !== ''));
  const on = Object.fromEntries([...events].map((event) => [event, takenBy(event)]));
  const always = takenBy('');
  return {
    ...(description !== null && { description }),
    ...(tags.length > 0 && { tags }),
    ...(waits.length > 0 && { meta: { waits } }),
    ...(entry.length > 0 && { entry: entry.map(({ name }) => ({ type: name })) }),
    ...(events.size > 0 && { on }),
    ...(always.length > 0 && { always }),
  };
};

/**
 * A workflow's chart as config for XState's createMachine. Guards and entry actions are names:
 * provide them.
 */
export const toXStateConfig = (id: string, { initial, states }: ChartNode) => ({
  id,
  ...(initial !== null && { initial }),
  states: Object.fromEntries(states.map((state) => [state.path, toXStateNode(state)])),
});

export function renderXStateModule(id: string, chart: ChartNode): string {
  const config = JSON.stringify(toXStateConfig(id, chart), null, 2);
  const guards = new Set(
    chart.states.flatMap(({ arrows }) => arrows.flatMap(({ guard }) => guard?.name ?? [])),
  );
  const goes = chart.states.some(({ arrows }) =>
    arrows.some(({ event }) => event === 'tool.goto_phase'),
  );
  const names = [...guards, ...(goes ? ['goesTo'] : [])].map((name) => JSON.stringify(name));
  const provide = names.length === 0 ? '' : `\n// Guards to provide: ${names.join(', ')}.`;
  return `import { createMachine } from 'xstate';\n${provide}\nexport const machine = createMachine(${config});\n`;
}
