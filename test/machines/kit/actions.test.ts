import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type AnyStateMachine,
  assign,
  enqueueActions,
  initialTransition,
  setup,
  transition,
} from 'xstate';
import { createChangeActions } from '../../../machines/kit/actions.ts';
import { createFieldChangeBuilder } from '../../../machines/kit/change.ts';

const test = suite('the action that a change becomes');

interface Context {
  visits: number;
  log: readonly string[];
}
type Event = { type: 'go'; by: string } | { type: 'stay' };
interface Write {
  type: 'write';
  params: { text: string };
}
const types = {} as { context: Context; events: Event };
const config = {
  context: { visits: 0, log: ['made'] },
  initial: 'here',
  states: {
    here: { on: { go: { target: 'there', actions: ['visit'] }, stay: { actions: ['keep'] } } },
    there: { entry: ['visit'], exit: ['visit', 'leave'], on: { go: 'here' } },
  },
} as const;
const write = (_args: unknown, _params: Write['params']): void => {};

const assignFields = createFieldChangeBuilder<Context, Event>();

/** As the changes are: each action at once. */
const ours = setup({
  types,
  actions: {
    write,
    ...createChangeActions<Context, Event, Write>()({
      visit: ({ visits, log }, event) => ({
        context: { visits: visits + 1, log: [...log, event.type] },
        effects: [{ type: 'write', params: { text: `visit ${visits + 1}` } }],
      }),
      keep: () => ({ context: {} }),
      leave: assignFields(({ log }, { type }) => ({ log: [...log, `left by ${type}`] })),
    }),
  },
}).createMachine(config);

/** The same by what XState has for it. */
const theirs = setup({
  types,
  actions: {
    write,
    visit: enqueueActions(({ context, event, enqueue }) => {
      enqueue.assign({ visits: context.visits + 1, log: [...context.log, event.type] });
      enqueue({ type: 'write', params: { text: `visit ${context.visits + 1}` } });
    }),
    keep: assign({}),
    leave: assign({ log: ({ context, event }) => [...context.log, `left by ${event.type}`] }),
  },
}).createMachine(config);

/** What the snapshot is, and the effects that were asked for, after each of the events. */
function walk(machine: AnyStateMachine, events: readonly Event[]) {
  let [snapshot] = initialTransition(machine);
  return events.map((event) => {
    const [next, actions] = transition(machine, snapshot, event);
    const isNew = next !== snapshot;
    snapshot = next;
    const effects = actions
      .map(({ type, params }) => ({ type: String(type), params }))
      .filter(({ type }) => type === 'write');
    return { isNew, effects, persisted: JSON.stringify(machine.getPersistedSnapshot(next)) };
  });
}

test('context, state and effects are those of enqueueActions and assign', () => {
  const events: Event[] = [
    { type: 'go', by: 'ann' },
    { type: 'go', by: 'ben' },
    { type: 'stay' },
    { type: 'go', by: 'cy' },
  ];
  assert.equal(walk(ours, events), walk(theirs, events));
});

test('a change of nothing still takes the event: the snapshot is a new one', () => {
  assert.is(walk(ours, [{ type: 'stay' }])[0]?.isNew, true);
});

test('the snapshot before is as it was', () => {
  const [before] = initialTransition(ours);
  transition(ours, before, { type: 'go', by: 'ann' });
  assert.equal(before.context, { visits: 0, log: ['made'] });
});

test.run();
