import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AnyStateMachine, type AnyStateNode, createMachine } from 'xstate';
import MachineCommand from '../../cli/commands/machine.ts';
import { jobChart, liveCharts } from '../../machines/index.ts';
import { CHARTS } from '../../src/host/runner/charts.ts';
import { CHANGED } from '../histories/changed.ts';
import { historyNames, readHistory, replay } from '../histories/history.ts';
import { CommandLine } from '../support/cli/commandLine.ts';

const test = suite('svc machine');

const run = (...args: string[]) => new CommandLine({}).run(MachineCommand, args);
const charts = [...CHARTS, ...liveCharts];
const listStatePaths = (node: AnyStateNode): string[] => [
  node.path.join('.'),
  ...Object.values(node.states).flatMap(listStatePaths),
];

test('without a name it lists every chart', async () => {
  const { out } = await run('--json');
  assert.equal(
    JSON.parse(out).map(({ chart }: { chart: string }) => chart),
    charts.map(({ id }) => id),
  );
});

test('a chart that does not exist is refused with those that do', async () => {
  const { code, err } = await run('jub');
  assert.is(code, 3);
  assert.match(err, 'job, ');
});

for (const { id, machine } of charts) {
  test(`the exported config of ${id} makes a machine with the same states`, async () => {
    const { out } = await run(id, '--format', 'xstate');
    const exported = createMachine(JSON.parse(out));
    assert.equal(listStatePaths(exported.root), listStatePaths(machine.root));
  });

  test(`the diagram of ${id} names every state once`, async () => {
    const { out } = await run(id);
    const declared = [...out.matchAll(/ as (s\d+)/g)].map(([, state]) => state);
    assert.is(new Set(declared).size, declared.length);
    assert.ok(declared.length > 1);
  });
}

for (const { id, machine } of charts)
  test(`the picture of ${id} draws every state once`, async () => {
    const { out } = await run(id, '--format', 'svg');
    const drawn = [...out.matchAll(/ data-state="([^"]*)"/g)].map(([, path = '']) => path);
    const paths = listStatePaths(machine.root).filter((path) => path !== '');
    assert.equal(
      drawn.filter((path) => path !== '' && !path.endsWith('//start')).sort(),
      paths.sort(),
    );
  });

test('a picture is one element, closed, with its texts escaped', async () => {
  const { out } = await run('job', '--format', 'svg');
  const open: string[] = [];
  for (const [, end, name = ''] of out.matchAll(/<(\/?)([a-z]+)(?: [a-zA-Z-]+="[^"<]*")*>/g))
    if (end === '') open.push(name);
    else assert.is(open.pop(), name);
  assert.equal(open, []);
  assert.match(out, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.not.match(out.replace(/<[^>]*>|&#\d+;/g, ''), /[<&]/);
});

for (const name of historyNames())
  test(`the exported chart of a job goes the way of ${name}`, async () => {
    const { out } = await run('job', '--format', 'xstate');
    const config = { ...JSON.parse(out), context: jobChart.machine.config.context };
    const machine = createMachine(config).provide(
      jobChart.machine.implementations as Parameters<AnyStateMachine['provide']>[0],
    );
    const history = readHistory(name);
    const changed = CHANGED.filter(({ file }) => file === name);
    const own = replay(jobChart, history, changed);
    assert.equal(replay({ ...jobChart, machine }, history, changed), own);
  });

test.run();
