import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Compile } from 'typebox/compile';
import { mergeLayers } from '../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../src/workflows/overlay/openOverlay.ts';
import { readLayer } from '../../src/workflows/overlay/readLayer.ts';
import { buildToolCatalogue } from '../../src/executors/tools/catalogue/buildToolCatalogue.ts';
import { OBSERVABILITY_TOOLS } from '../../src/executors/tools/forge/createObservabilityTools.ts';
import { BUILT_IN_TOOLS } from '../../src/executors/tools/catalogue/toolAllowlist.ts';
import { createTrackerTools } from '../../src/executors/tools/forge/createTrackerTools.ts';
import { readDoneHeading } from '../../src/sessions/brief/collectBriefFacts.ts';
import { lintPaths } from '../../src/workflows/overlay/lintPaths.ts';

const test = suite('shipped intelligence');

const root = join(import.meta.dirname, '../../intelligence');
const layer = await readLayer('base', root);
const overlay = openOverlay(mergeLayers([layer]), { aliases: ['planning', 'coding'] });
const workflows = [
  'workflows/job.md',
  'workflows/job-automerge.md',
  'workflows/campaign.md',
  'workflows/sub-run.md',
  'workflows/self-update.md',
];
/** Its agents read what many others wrote, and reach nothing outside the runner. */
const INSIDE = 'workflows/self-update.md';
/** Of plan-mode chats: no phase runs it, and it has no job whose memory it could read. */
const CHAT = 'agents/intake.md';
const agents = [...layer.files.keys()].filter(
  (path) => path.startsWith('agents/') && path !== CHAT,
);

test('every shipped workflow and agent is without a finding (INT-5)', async () => {
  assert.equal(overlay.workflows().diagnostics, []);
  assert.equal(
    agents.flatMap((path) => overlay.agent(path).diagnostics),
    [],
  );
  assert.equal(
    await lintPaths([root], { baseIntelligence: null, aliases: ['planning', 'coding'] }),
    [],
  );
});

for (const path of workflows)
  test(`every phase of ${path} that has an agent declares what it is held to (OVR-2)`, () => {
    const { table } = overlay.workflow(path);
    const without = table?.phases.filter(
      ({ agent, obligations }) => agent !== null && !obligations,
    );
    assert.equal(without, []);
  });

test('the job workflow has the phases and statuses of the lifecycle (INT-5, INT-6)', () => {
  const { table, meta } = overlay.workflow('workflows/job.md');
  assert.equal(
    table?.phases.map((phase) => [
      phase.name,
      phase.agent,
      phase.status,
      phase.model,
      phase.interactive_checkpoint,
    ]),
    [
      ['planning', 'agents/planner.md', 'planning', 'planning', true],
      ['coding', 'agents/coder.md', 'coding', 'coding', false],
      ['awaiting-merge', null, 'awaiting-pr-merge', null, false],
      ['testing', 'agents/tester.md', 'testing', 'coding', false],
      ['evaluation', 'agents/evaluator.md', 'evaluation', 'planning', false],
      ['reporting', 'agents/reporter.md', 'reporting', 'planning', false],
    ],
  );
  assert.equal(table?.initial_phase, 'planning');
  assert.equal(table?.initial_status, 'planning');
  assert.equal(table?.coordinator, null);
  assert.equal(meta.createParams, {
    required: ['repo', 'description'],
    optional: ['reviewers', 'jiraTicketId', 'gitProvider'],
  });
});

test('the campaign workflow parks for its sub-runs, and a sub-run ends with its merge (SUB-2 SUB-3 SUB-8)', () => {
  const { table } = overlay.workflow('workflows/campaign.md');
  const listPhases = (path: string) =>
    overlay
      .workflow(path)
      .table?.phases.map((phase) => [
        phase.name,
        phase.agent,
        phase.status,
        phase.interactive_checkpoint,
      ]);
  assert.equal(listPhases('workflows/campaign.md'), [
    ['planning', 'agents/campaign-planner.md', 'campaign-planning', true],
    ['awaiting-sub-runs', null, 'awaiting-sub-runs', false],
    ['aggregating', 'agents/campaign-aggregator.md', 'aggregating', false],
  ]);
  assert.equal(table?.coordinator, {
    enabled: true,
    parkPhase: 'awaiting-sub-runs',
    parkStatus: 'awaiting-sub-runs',
    resumePhase: 'aggregating',
    subRunWorkflowPath: 'workflows/sub-run.md',
    subRunParamsDefault: { epicAllowed: false },
    maxParallelSubRuns: 2,
    failurePolicy: 'halt-on-failure',
    forwardSiblingInsights: true,
  });
  assert.equal(listPhases('workflows/sub-run.md'), [
    ['coding', 'agents/sub-run-coder.md', 'coding', false],
    ['awaiting-pr-merge', null, 'awaiting-pr-merge', false],
  ]);
});

test('every agent file is used by a phase, and every phase finds its agent (INT-5)', () => {
  const used = overlay
    .workflows()
    .workflows.flatMap((entry) => overlay.workflow(entry.workflowPath).agents);
  assert.equal([...new Set(used)].sort(), agents);
});

/** Calls in the texts as `name { arguments }`. */
const calls = [...workflows, ...agents].flatMap((path) =>
  [...overlay.text(path).matchAll(/\b([a-z]+(?:_[a-z]+)*) (\{[^`]*?\})(?=`|\n)/g)].map(
    ([, name = '', json = '']) => ({
      path,
      name,
      json: json.replace(/\n\s*/g, ' '),
    }),
  ),
);

/** All tools; those of a forge under the names by which texts and lists mean the job's own. */
const tools = buildToolCatalogue(['scm'], createTrackerTools(['jira']));

test('every call that the texts show is valid for the tool', () => {
  assert.ok(calls.length > 30, 'the calls were found');
  for (const { path, name, json } of calls) {
    const tool = tools.get(name);
    assert.ok(tool, `${path}: there is no tool ${name}`);
    const args: unknown = JSON.parse(json);
    assert.equal(tool && Compile(tool.input).Errors(args), [], `${path}: ${name} ${json}`);
  }
});

/** Tools that a text names, in code or as a call. */
const namedIn = (text: string): string[] => {
  const matches = [...text.matchAll(/(?:`|^ *)([a-z]+(?:_[a-z]+)*)(?=`| \{)/gm)];
  return [...new Set(matches.map(([, name = '']) => name))];
};

test('every tool that the texts name exists', () => {
  const names = [...workflows, ...agents].flatMap((path) => namedIn(overlay.text(path)));
  assert.ok(names.length > 40, 'the names were found');
  // Fields of contract files begin with merged_.
  assert.equal(
    names.filter((name) => name.includes('_') && !tools.has(name) && !/^merged_/.test(name)),
    [],
  );
});

/** Tools that every executor has of its own. */
const OWN: readonly string[] = BUILT_IN_TOOLS;

const phases = workflows.flatMap((path) =>
  (overlay.workflow(path).table?.phases ?? []).flatMap((phase) =>
    phase.agent === null ? [] : [{ path, ...phase, agent: phase.agent }],
  ),
);

test('every phase lists its tools: skills, external servers, and every tool that its agent names (TOOL-10)', () => {
  assert.is(phases.length, 16);
  for (const { path, name, agent, tools: phaseTools = [] } of phases) {
    const agentTools = namedIn(overlay.text(agent)).filter((one) => tools.has(one));
    assert.ok(agentTools.length > 3, `${agent}: the names were found`);
    assert.equal(
      ['skill', ...(path === INSIDE ? [] : ['mcp__*']), ...agentTools].filter(
        (one) => !phaseTools.includes(one),
      ),
      [],
      `${path}, ${name}`,
    );
  }
});

/** The one phase that merges, held to the invariants of its workflow. */
const MERGES = 'workflows/job-automerge.md, merging';

test('what a phase lists exists, once; one phase lists what merges, and none what approves', () => {
  for (const { path, name, tools: phaseTools = [] } of phases) {
    assert.is(new Set(phaseTools).size, phaseTools.length, `${path}, ${name}`);
    assert.equal(
      phaseTools.filter((one) => !tools.has(one) && !OWN.includes(one) && !one.includes('*')),
      path === INSIDE ? [] : OBSERVABILITY_TOOLS,
      `${path}, ${name}`,
    );
    const forbidden = MERGES === `${path}, ${name}` ? /approve_pr/ : /merge_pr|approve_pr/;
    assert.not.match(phaseTools.join(' '), forbidden);
  }
});

test('self-update looks, proposes at the end, and has nothing that changes files or runs programs (INT-11)', () => {
  const own = phases.filter(({ path }) => path === INSIDE);
  assert.equal(
    own.map(({ name, tools: phaseTools = [] }) => [name, phaseTools.includes('propose_change')]),
    [
      ['reading', false],
      ['proposing', true],
    ],
  );
  for (const { tools: phaseTools = [] } of own)
    assert.not.match(phaseTools.join(' '), /shell|write|edit|mcp__|_pr\b|scm_|tracker_/);
});

const MERGE_APPROVED = { id: 'merge-approved', never: 'merge', unless: 'approved since push' };

test('the workflow that merges is proved; in the others nothing can merge', () => {
  const rules = { invariants: [{ from: 'configuration' as const, list: [MERGE_APPROVED] }] };
  const checkedOverlay = openOverlay(mergeLayers([layer]), rules);
  const findProofResult = (path: string) =>
    checkedOverlay.workflow(path).proofs.find(({ invariant }) => invariant.id === MERGE_APPROVED.id)
      ?.result;
  assert.equal(
    workflows.map((path) => [path, findProofResult(path)]),
    workflows.map((path) => [path, path.includes('automerge') ? 'proved' : 'unreachable']),
  );
});

test('every agent says what done means, reads memory, and no line is longer than 100', () => {
  for (const path of agents) {
    assert.type(readDoneHeading(overlay.agent(path).body), 'string', path);
    assert.match(overlay.text(path), '`read_memory {}`');
  }
  const long = [...layer.files.entries()].flatMap(([path, bytes]) =>
    new TextDecoder()
      .decode(bytes)
      .split('\n')
      .flatMap((line, at) => (line.length > 100 ? [`${path}:${at + 1}`] : [])),
  );
  assert.ok(layer.files.size > 12);
  assert.equal(
    long.filter((place) => place.includes('.md:')),
    [],
  );
});

test.run();
