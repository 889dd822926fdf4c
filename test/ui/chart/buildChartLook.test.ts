import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeBox, toArrowWords, describeWay } from '../../../ui/chart/describeChart.ts';
import { createEventDraft, parseTypedEvent } from '../../../ui/chart/eventDraft.ts';
import { buildChartLook } from '../../../ui/chart/buildChartLook.ts';
import { buildMachineGraph } from '../../../ui/chart/picture/buildMachineGraph.ts';
import { listLeafPaths } from '../../../src/base/json/listLeafPaths.ts';
import { arrow, group, leaf } from '../../support/charts/chartNodes.ts';

const test = suite('ui chart: look');

const ROOT = group('', 'a', [
  group('a', 'a.x', [
    leaf('a.x', [
      arrow('a.x#0', 'next', ['a.y'], { guard: 'ready' }),
      arrow('a.x#1', 'far', ['b.z']),
    ]),
    leaf('a.y'),
  ]),
  group('b', 'b.z', [leaf('b.z')]),
]);

const lookAt = (more: Partial<Parameters<typeof buildChartLook>[2]>, bundled = false) => {
  const graph = buildMachineGraph(ROOT, { allEffects: false, bundled });
  const { boxes, ways, edges } = buildChartLook(ROOT, graph, {
    state: [],
    open: [],
    predicted: [],
    selected: null,
    ...more,
  });
  return {
    boxes: Object.fromEntries(boxes),
    ways: Object.fromEntries(ways),
    edges: Object.fromEntries(edges),
  };
};

test('the current states are lit up to the root; the leaf is marked as now (UI-3)', () => {
  assert.equal(lookAt({ state: ['a.x'] }), {
    boxes: { 'a.x': 'lit now', a: 'lit', '': 'lit' },
    ways: {},
    edges: {},
  });
});

test('open ways and their lines are marked, and those that depend on the event; a bundle is as open as any of its ways', () => {
  const open = [
    { arrow: 'a.x#0', open: 'depends' as const },
    { arrow: 'a.x#1', open: true as const },
  ];
  assert.equal(lookAt({ open }), {
    boxes: {},
    ways: { 'a.x#0': 'depends', 'a.x#1': 'open' },
    edges: { 'a.x->a.y': 'depends', 'a.x->b.z': 'open' },
  });
  assert.equal(lookAt({ open }, true).edges, { 'a.x->a.y': 'depends', 'a=>b': 'open' });
});

test('the states of a loop without progress are marked, and the lines from each to the next (UI-3)', () => {
  const root = group('', 'a', [
    leaf('a', [arrow('a#0', 'session.ended', ['b'])]),
    leaf('b', [arrow('b#0', 'session.ended', ['c']), arrow('b#1', 'changes asked for', ['a'])]),
    leaf('c'),
  ]);
  const graph = buildMachineGraph(root, { allEffects: false, bundled: false });
  const nothing = { state: [], open: [], predicted: [], selected: null };
  const { boxes, edges } = buildChartLook(root, graph, { ...nothing, loop: ['b', 'a'] });
  assert.equal(Object.fromEntries(boxes), { b: 'loop', a: 'loop' });
  assert.equal(Object.fromEntries(edges), { 'b->a': 'loop', 'a->b': 'loop' });
});

test('a way to be shown is marked from its beginning to its end, and not back', () => {
  const root = group('', 'a', [
    leaf('a', [arrow('a#0', 'session.ended', ['b'])]),
    leaf('b', [arrow('b#0', 'session.ended', ['c']), arrow('b#1', 'changes asked for', ['a'])]),
    leaf('c'),
  ]);
  const graph = buildMachineGraph(root, { allEffects: false, bundled: false });
  const nothing = { state: [], open: [], predicted: [], selected: null };
  const trail = [
    { path: 'a', time: '5 s' },
    { path: 'b', time: null },
  ];
  const { boxes, edges, notes } = buildChartLook(root, graph, { ...nothing, trail });
  assert.equal(Object.fromEntries(boxes), { a: 'trail', b: 'trail' });
  assert.equal(Object.fromEntries(notes), { a: '1 · 5 s', b: '2' });
  assert.equal(Object.fromEntries(edges), { 'a->b': 'trail' });
});

test('a line that only goto_phase takes is marked as possible', () => {
  const root = group('', 'a', [
    leaf('a', [arrow('a#0', 'session.ended', ['b']), arrow('a#1', 'tool.goto_phase', ['c'])]),
    leaf('b', [arrow('b#0', 'session.ended', ['c']), arrow('b#1', 'tool.goto_phase', ['c'])]),
    leaf('c'),
  ]);
  const graph = buildMachineGraph(root, { allEffects: false, bundled: false });
  const { edges } = buildChartLook(root, graph, {
    state: [],
    open: [],
    predicted: [],
    selected: null,
  });
  assert.equal(Object.fromEntries(edges), { 'a->c': 'possible' });
});

test('a chosen way shows its line and where it leads, a chosen state every line that touches it, an answer where it would be', () => {
  assert.equal(lookAt({ selected: { kind: 'way', id: 'a.x#1' } }), {
    boxes: { 'b.z': 'aim' },
    ways: {},
    edges: { 'a.x->b.z': 'near' },
  });
  assert.equal(lookAt({ selected: { kind: 'box', id: 'a.y' } }).edges, { 'a.x->a.y': 'near' });
  assert.equal(lookAt({ predicted: ['b.z'] }).boxes, { 'b.z': 'predicted' });
});

test('an arrow is described in words: on what, from whom, when, and where it leads', () => {
  assert.equal(
    toArrowWords(arrow('p#0', 'go', ['q'], { guard: 'ready', effects: ['session.open'] }), 'p'),
    {
      on: 'go, from a developer',
      when: 'it is so: ready',
      to: 'goes to q',
      does: ['session.open (an external effect)'],
    },
  );
  assert.is(
    toArrowWords(arrow('p#1', '', ['p'], { reenter: true }), 'p').to,
    'leaves p and enters it again',
  );
  assert.is(toArrowWords(arrow('p#2', 'note', []), 'p').to, 'stays where it is');
});

test('screen readers say what a box is, whether it is current, and where a transition leads', () => {
  const state = { ...leaf('a.x', [arrow('a.x#0', 'next', ['a.y'])]), waits: ['for a person'] };
  assert.is(describeBox(state, true), 'State x, current, leads to 1 state. Waiting for a person');
  assert.is(describeBox(group('a', 'a.x', []), false), 'Group a');
  assert.is(
    describeWay(arrow('a.x#0', 'next', ['a.y'], { guard: 'ready' }), 'a.x', 'depends'),
    'Depends on the event: from a.x, on next, from a developer, when it is so: ready, goes to a.y',
  );
});

test('an event to try starts with its known members, and typed text is read or refused with a reason', () => {
  assert.equal(createEventDraft('job.pause'), { type: 'job.pause' });
  assert.equal(createEventDraft('job.rerun', { phase: 'coding' }), {
    type: 'job.rerun',
    phase: 'coding',
  });
  const pr = { prId: 'local:repo#1', forge: 'local', repo: 'repo', number: 1, url: 'http://x/1' };
  assert.equal(Object(createEventDraft('forge.event', { prs: [pr] }).event).prId, 'local:repo#1');
  assert.equal(parseTypedEvent('{ "type": "job.pause" }'), { event: { type: 'job.pause' } });
  assert.equal(parseTypedEvent('[]'), { wrong: 'An event must be an object: { "type": "…" }.' });
  assert.equal(parseTypedEvent('{}'), { wrong: 'The event needs a type.' });
  assert.match(Object(parseTypedEvent('{')).wrong, /^Not valid JSON: /);
});

test('a state value is read as paths: a name, nested names, several regions', () => {
  assert.equal(listLeafPaths('queued'), ['queued']);
  assert.equal(listLeafPaths({ working: 'inSession' }), ['working.inSession']);
  assert.equal(listLeafPaths({ left: { on: {} }, right: 'off' }), ['left.on', 'right.off']);
});

test.run();
