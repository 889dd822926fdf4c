import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AnyStateNode, initialTransition } from 'xstate';
import { jobChart } from '../../machines/index.ts';
import { SteppedJob } from '../support/charts/jobSteps.ts';
import { LEAF_STATES } from '../support/charts/jobStates.ts';

const test = suite('job chart: its shape');

const nodesUnder = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesUnder),
];
const nodes = nodesUnder(jobChart.machine.root);
const listArrows = (node: AnyStateNode) => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
];
const formatPath = (node: AnyStateNode) => node.path.join('.') || '(root)';
const arrows = nodes.flatMap((node) => listArrows(node).map((arrow) => ({ node, arrow })));
const listActions = (node: AnyStateNode) => [
  ...node.entry,
  ...node.exit,
  ...listArrows(node).flatMap(({ actions }) => actions),
];

test('is as large as it was when this was written: nothing below looks at an empty list', () => {
  assert.ok(nodes.length >= 20, `${nodes.length} states`);
  assert.ok(arrows.length >= 80, `${arrows.length} arrows`);
});

test('has no invoke, no after and no final state', () => {
  for (const node of nodes) {
    assert.equal(node.invoke.length, 0, formatPath(node));
    assert.equal(node.after.length, 0, formatPath(node));
    assert.equal(node.type === 'final', false, formatPath(node));
    for (const key of node.transitions.keys())
      assert.not.match(key, /^xstate\./u, formatPath(node));
  }
});

test('every guard is a name with an implementation and a note; none is left over', () => {
  const used = new Set<string>();
  for (const { node, arrow } of arrows) {
    if (arrow.guard === undefined) continue;
    assert.type(arrow.guard, 'string', `${formatPath(node)}: and, or and not have no name`);
    used.add(String(arrow.guard));
  }
  assert.equal([...used].toSorted(), Object.keys(jobChart.guards).toSorted());
  assert.equal(
    [...used].toSorted(),
    Object.keys(jobChart.machine.implementations.guards).toSorted(),
  );
  for (const [name, { says }] of Object.entries(jobChart.guards))
    assert.match(says, /^[a-z].*[^.]$/u, `${name} is part of a sentence`);
});

test('a guard that is said not to read the event can be asked without one', () => {
  const { context } = new SteppedJob();
  for (const [name, { readsEvent }] of Object.entries(jobChart.guards)) {
    if (readsEvent) continue;
    const guard = jobChart.machine.implementations.guards[name];
    if (typeof guard !== 'function') throw new Error(`${name} is no function`);
    const event = new Proxy(
      { type: 'none' },
      { get: () => assert.unreachable(`${name} reads the event`) },
    );
    assert.type(
      (guard as (args: unknown, params: unknown) => boolean)({ context, event }, undefined),
      'boolean',
      name,
    );
  }
});

test('every action is a name that exists; none is left over', () => {
  const known = Object.keys(jobChart.machine.implementations.actions);
  // Asked for within named actions alone.
  const used = new Set<string>(['actor.send']);
  for (const node of nodes) {
    for (const action of listActions(node)) {
      assert.ok(
        typeof action !== 'function',
        `${formatPath(node)}: an inline function has no name`,
      );
      used.add(typeof action === 'string' ? action : (action as { type: string }).type);
    }
  }
  assert.equal([...used].toSorted(), known.toSorted());
});

test('every event has a sender, and every sender an event', () => {
  const events = new Set(arrows.map(({ arrow }) => arrow.eventType).filter((type) => type !== ''));
  assert.equal([...events].toSorted(), Object.keys(jobChart.senders).toSorted());
});

test('every state at rest says what it waits for; eventless ones always leave', () => {
  const leaves = nodes.filter(({ type }) => type === 'atomic');
  const resting = leaves.filter((node) => node.meta?.waits !== undefined).map(formatPath);
  assert.equal(resting.toSorted(), [...LEAF_STATES].toSorted());
  for (const node of leaves.filter((leaf) => leaf.meta?.waits === undefined)) {
    assert.is(node.always?.at(-1)?.guard, undefined, `${formatPath(node)} may get stuck`);
    assert.is(node.transitions.size, 0);
  }
});

test('only working holds a slot', () => {
  assert.equal(nodes.filter(({ tags }) => tags.includes('slot')).map(formatPath), ['working']);
});

test('a cycle of eventless steps would be refused', () => {
  assert.is(jobChart.machine.options.maxIterations, 100);
});

test('a job starts without effects', () => {
  const input = new SteppedJob().context;
  const [, effects] = initialTransition(jobChart.machine, input);
  assert.equal(effects, []);
});

test.run();
