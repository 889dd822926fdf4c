import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart, subRunsChart } from '../../../machines/index.ts';
import { listEventFields, withEventField } from '../../../ui/chart/eventFields.ts';
import { createEventDraft } from '../../../ui/chart/eventDraft.ts';
import { fitDirection } from '../../../ui/chart/fitDirection.ts';
import { flattenNodes } from '../../../ui/chart/picture/graph.ts';
import { buildMachineGraph, wrapName } from '../../../ui/chart/picture/buildMachineGraph.ts';
import { toPlainEvent, toPlainState } from '../../../ui/chart/picture/plainWords.ts';
import { measureRoughly } from '../../../ui/chart/picture/textWidth.ts';
import {
  encloseRects,
  computeCloseScale,
  computeFirstScale,
  READABLE,
} from '../../../ui/chart/viewport.ts';
import { arrow, group, leaf } from '../../support/charts/chartNodes.ts';

const test = suite('ui chart: plain language, and what is seen first');

test('every event that a job or a dispatcher takes has a name in plain words', () => {
  for (const { senders } of [jobChart, subRunsChart]) {
    const technical = Object.keys(senders).filter((event) => /[._A-Z]/.test(toPlainEvent(event)));
    assert.equal(technical, []);
    const spelled = Object.keys(senders).filter(
      (event) => toPlainEvent(event) === event.replaceAll(/[._]/g, ' '),
    );
    assert.equal(spelled, []);
  }
});

test('every state of both charts has a name in plain words', () => {
  const paths = (states: Readonly<Record<string, { states?: object }>>, above = ''): string[] =>
    Object.entries(states).flatMap(([name, { states: inner = {} }]) => [
      `${above}${name}`,
      ...paths(inner as typeof states, `${above}${name}.`),
    ]);
  for (const { machine } of [jobChart, subRunsChart]) {
    const unnamed = paths(machine.config.states as never).filter(
      (path) => toPlainState(path, '') === '',
    );
    assert.equal(unnamed, []);
  }
});

test('an arrow says what happens and on which condition; technical names are shown on demand', () => {
  const chart = group('', 'queued', [
    leaf('queued', [
      arrow('queued#0', 'job.pause', ['ended'], { guard: 'isReady' }),
      arrow('queued#1', '', ['ended']),
    ]),
    leaf('ended'),
  ]);
  const words = (plain: 'actor' | null) => {
    const { nodes, edges } = buildMachineGraph(chart, { allEffects: false, bundled: false, plain });
    return {
      boxes: flattenNodes(nodes).map(({ title }) => title),
      ways: edges.flatMap(({ ways }) =>
        ways.map(({ rows }) => rows.map(({ text }) => text).join(' ')),
      ),
    };
  };
  assert.equal(words('actor'), {
    boxes: ['', 'Queued', 'Ended'],
    ways: ['you pause the job if it is so: isReady', 'otherwise'],
  });
  assert.equal(words(null), {
    boxes: ['', 'queued', 'ended'],
    ways: ['job.pause [isReady]', '[else]'],
  });
});

test('a long name takes several lines, and none of it is lost', () => {
  const name = 'collect-the-requirements-of-every-team-and-write-them-down';
  const lines = wrapName(name);
  assert.is(lines.join(''), name);
  assert.ok(
    lines.every((line) => line.length <= 30),
    lines.join('|'),
  );
  assert.is(wrapName('x'.repeat(70)).length, 3);
  assert.equal(wrapName('short'), ['short']);
});

test('a drawing is shown whole where it can be read, and never smaller than that', () => {
  const view = { width: 800, height: 600 };
  assert.is(computeFirstScale({ width: 400, height: 300 }, view), 1);
  assert.is(computeFirstScale({ width: 900, height: 300 }, view), 800 / 900);
  assert.is(computeFirstScale({ width: 4_000, height: 300 }, view), READABLE);
});

test('what is brought close is readable, with room around it', () => {
  const view = { width: 800, height: 600 };
  assert.is(computeCloseScale({ width: 2_000, height: 100 }, view), READABLE);
  assert.is(computeCloseScale({ width: 10, height: 10 }, view), 1.3);
  assert.equal(encloseRects([]), undefined);
  assert.equal(
    encloseRects([
      { x: 10, y: 10, width: 10, height: 10 },
      { x: 0, y: 30, width: 5, height: 5 },
    ]),
    { x: 0, y: 10, width: 20, height: 25 },
  );
});

test('a chain is drawn along the longer side of the view', () => {
  const node = (id: string) => ({
    id,
    kind: 'state' as const,
    title: id,
    tags: [],
    rows: [],
    ways: [],
    children: [],
  });
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const chain = {
    nodes: names.map(node),
    edges: names.slice(1).map((target, n) => ({
      id: target,
      source: names[n] ?? '',
      target,
      ways: [],
      bundle: [],
    })),
  };
  assert.is(fitDirection(chain, measureRoughly, { width: 1_200, height: 200 }), 'RIGHT');
  assert.is(fitDirection(chain, measureRoughly, { width: 300, height: 800 }), 'DOWN');
});

test('what-if shows the members that a person fills in, and leaves the rest as drafted', () => {
  const prs = ['1', '2'].map((n) => ({
    prId: `local:shop#${n}`,
    forge: 'local',
    repo: 'shop',
    number: Number(n),
    url: '',
  }));
  const facts = { phases: ['planning', 'coding'], prs };
  const event = createEventDraft('forge.event', facts);
  assert.equal(
    listEventFields(event, facts).map(({ label }) => label),
    ['What happens', 'Pull request', 'By', 'Text'],
  );
  const other = withEventField(event, 'event.prId', 'local:shop#2', facts);
  assert.is(Object(other.event).number, 2);
  assert.is(Object(other.event).kind, 'merged');
  const cancel = withEventField(createEventDraft('job.cancel'), 'reason', 'enough', facts);
  assert.equal(cancel, { type: 'job.cancel', reason: 'enough' });
  assert.is(withEventField(cancel, 'reason', '', facts).reason, null);
  assert.equal(listEventFields(createEventDraft('job.rerun', facts), facts)[0]?.choices, [
    { value: 'planning', says: 'planning' },
    { value: 'coding', says: 'coding' },
  ]);
});

test.run();
