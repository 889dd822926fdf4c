import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import WorkflowGraphCommand from '../../cli/commands/workflow/graph.ts';
import WorkflowSchemaCommand from '../../cli/commands/workflow/schema.ts';
import { buildEditorSchema } from '../../src/workflows/definition/buildEditorSchema.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { folderWith } from '../support/intelligenceFolder.ts';

const test = suite('svc workflow graph and schema');

const JOB = join(import.meta.dirname, '../../intelligence/workflows/job.md');
const home = folderWith({});

test('the chart as JSON is that of GET /machines, with the phases that the texts of the agents name (UI-4)', async () => {
  const { code, out, err } = await new CommandLine({ SVC_HOME: home }).run(WorkflowGraphCommand, [
    JOB,
    '--format',
    'json',
  ]);
  const machine = JSON.parse(out);
  assert.equal(code, 0);
  assert.equal(err, '');
  assert.equal(machine.chart, JOB);
  assert.equal(machine.kind, 'workflow');
  assert.equal(machine.label, 'Job');
  const gotos = machine.definition.states.flatMap(
    (state: { path: string; arrows: { event: string; targets: string[] }[] }) =>
      state.arrows
        .filter(({ event }) => event === 'tool.goto_phase')
        .map(({ targets }) => `${state.path} → ${targets}`),
  );
  assert.ok(gotos.includes('evaluation → coding'), `${gotos}`);
  const asJson = await new CommandLine({ SVC_HOME: home }).run(WorkflowGraphCommand, [
    JOB,
    '--json',
  ]);
  assert.equal(JSON.parse(asJson.out), machine);
});

test('each format begins as it should, and Mermaid is the default', async () => {
  const line = new CommandLine({ SVC_HOME: home });
  const printFirstLine = async (...flags: string[]) =>
    (await line.run(WorkflowGraphCommand, [JOB, ...flags])).out.split('\n')[0];
  assert.is(await printFirstLine(), 'stateDiagram-v2');
  assert.match((await printFirstLine('--format', 'svg')) ?? '', /^<svg xmlns=/);
  assert.is(await printFirstLine('--format', 'xstate'), "import { createMachine } from 'xstate';");
});

test('a workflow with mistakes is drawn as far as it can be read, and they are talked about', async () => {
  const text =
    '---\ninitial_phase: cod\nphases:\n  - { name: code, agent: agents/coder.md, status: coding }\n---\n';
  const { code, out, err } = await new CommandLine({ SVC_HOME: home }, text).run(
    WorkflowGraphCommand,
    ['-'],
  );
  assert.is(code, 0);
  assert.match(out, 'state "code" as s0');
  assert.match(
    err,
    '<stdin>:2:16 error initial_phase names the phase cod, which does not exist. [unknown-phase]',
  );
});

test('where no phase can be read nothing is drawn: 2, and what is wrong', async () => {
  const { code, out, err } = await new CommandLine({ SVC_HOME: home }, 'only text').run(
    WorkflowGraphCommand,
    ['-'],
  );
  assert.equal(code, 2);
  assert.equal(out, '');
  assert.match(err, 'empty-front-matter');
});

test('the schema for editors, of workflows unless agents are asked for', async () => {
  const line = new CommandLine({ SVC_HOME: home });
  const printSchema = async (...argv: string[]) =>
    JSON.parse((await line.run(WorkflowSchemaCommand, argv)).out);
  assert.equal(await printSchema(), JSON.parse(JSON.stringify(buildEditorSchema('workflow'))));
  assert.equal(await printSchema('agent'), JSON.parse(JSON.stringify(buildEditorSchema('agent'))));
});

test.run();
