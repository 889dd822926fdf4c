import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ErrorCode, SvcError } from '../../../src/base/errors/errors.ts';
import { mergeLayers } from '../../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../../src/workflows/overlay/openOverlay.ts';
import { layerWith } from '../../support/intelligenceFolder.ts';

const test = suite('openOverlay');

const workflow = (agent: string, body = '') =>
  `---\ninitial_phase: do\nphases:\n  - { name: do, agent: ${agent}, status: doing }\n---\n${body}`;
const base = layerWith(
  'base',
  {
    'workflows/job.md': workflow('agents/coder.md', 'Base text.'),
    'workflows/README.md': 'How to write them.',
    'agents/coder.md': '---\ncommand: [node, "{layer}/coder.mjs"]\n---\nBase coder.',
    'memory/m.md': 'one',
    '.claude/CLAUDE.md': 'rules',
  },
  '/opt/base',
);

const refuses = (code: ErrorCode, message: RegExp, run: () => unknown) =>
  assert.throws(
    run,
    (error: unknown) =>
      error instanceof SvcError && error.code === code && message.test(error.message),
  );

test('a model beside a program is a finding only where one layer has both', () => {
  const codes = (tenantFiles: Record<string, string>) => {
    const own = layerWith('base', {
      'workflows/job.md':
        '---\ninitial_phase: do\nphases:\n  - { name: do, agent: agents/coder.md, model: coding, status: doing }\n---\n',
      'agents/coder.md': 'Base coder.',
    });
    const executors = { ids: ['command'], llm: { defaultProvider: 'command', aliases: {} } };
    return openOverlay(mergeLayers([own, layerWith('tenant', tenantFiles)]), { executors })
      .workflow('workflows/job.md')
      .diagnostics.map(({ code }) => code);
  };
  const program = '---\ncommand: [node, "{layer}/coder.mjs"]\n---\nA program.';
  const above = codes({ 'agents/coder.md': program });
  assert.not(above.includes('model-without-effect'), above.join());
  const beside = codes({
    'agents/coder.md': program,
    'workflows/job.md':
      '---\ninitial_phase: do\nphases:\n  - { name: do, agent: agents/coder.md, model: coding, status: doing }\n---\n',
  });
  assert.ok(beside.includes('model-without-effect'), beside.join());
});

test('a workflow is read with its agents; an agent knows the folder of its layer', () => {
  const overlay = openOverlay(mergeLayers([base]));
  assert.equal(overlay.workflow('workflows/job.md').diagnostics, []);
  const agent = overlay.agent('agents/coder.md');
  assert.equal(agent.command, ['node', '{layer}/coder.mjs']);
  assert.equal(agent.layer, 'base');
  assert.equal(agent.layerRoot, '/opt/base');
  assert.equal(agent.body, 'Base coder.');
  assert.is(overlay.findLayer('agents/coder.md'), 'base');
  assert.is(overlay.has('agents/coder.md'), true);
  assert.is(overlay.has('agents/other.md'), false);
});

test('an agent of a repository with a command stops its workflow; one without a command replaces the text only', () => {
  const evil = layerWith('repo', {
    'agents/coder.md': '---\ncommand: [sh, -c, "curl evil"]\n---\nx',
  });
  const refused = openOverlay(mergeLayers([base, evil])).workflow('workflows/job.md');
  assert.is(refused.table, null);
  assert.equal(
    refused.diagnostics.map((one) => `${one.file}:${one.line}:${one.column} ${one.code}`),
    ['agents/coder.md:2:1 command-not-trusted'],
  );

  const text = layerWith('repo', { 'agents/coder.md': 'Repo coder.' });
  const agent = openOverlay(mergeLayers([base, text])).agent('agents/coder.md');
  assert.equal(agent.command, null, 'no program of another layer runs for it');
  assert.equal(agent.layer, 'repo', 'no program of another layer runs for it');
  assert.equal(agent.layerRoot, null, 'no program of another layer runs for it');
});

test('errors of a workflow and of its agents are reported together', () => {
  const tenant = layerWith('tenant', {
    'workflows/job.md': workflow('agents/coder.md', 'goto_phase("x")').replace('doing', 'Doing'),
    'agents/coder.md': '---\ncomand: [x]\n---\nthen goto_phase("y")',
  });
  assert.equal(
    openOverlay(mergeLayers([base, tenant]))
      .workflow('workflows/job.md')
      .diagnostics.map((one) => `${one.file}:${one.line}:${one.column} ${one.code}`),
    [
      'workflows/job.md:4:49 bad-status',
      'workflows/job.md:6:13 goto-unknown-phase',
      'agents/coder.md:2:1 unknown-key',
      'agents/coder.md:4:18 goto-unknown-phase',
    ],
  );
});

test('aliases are checked against the configured ones', () => {
  const tenant = layerWith('tenant', {
    'workflows/job.md': workflow('agents/coder.md').replace(
      'status: doing',
      'status: doing, model: big',
    ),
  });
  const severity = (aliases?: string[]) =>
    openOverlay(mergeLayers([base, tenant]), aliases ? { aliases } : {})
      .workflow('workflows/job.md')
      .diagnostics.map((one) => one.severity);
  assert.equal(severity(['small']), ['error']);
  assert.equal(severity([]), ['warning']);
  assert.equal(severity(['big']), []);
  assert.equal(severity(), []);
});

test('workflows are the files of workflows/, except the README (INT-6)', () => {
  const tenant = layerWith('tenant', {
    'workflows/bad.md': workflow('agents/none.md'),
    'workflows/sub/deep.md': workflow('null'),
    'workflows/own.md': workflow('null'),
  });
  const { workflows, diagnostics } = openOverlay(mergeLayers([base, tenant])).workflows();
  assert.equal(
    workflows.map((entry) => entry.workflowPath),
    ['workflows/job.md', 'workflows/own.md'],
  );
  assert.equal(
    diagnostics.map((one) => [one.file, one.code]),
    [['workflows/bad.md', 'missing-agent']],
  );
});

test('memory is listed and read, and nothing else can be read as memory', () => {
  const overlay = openOverlay(mergeLayers([base]));
  assert.equal(overlay.memory(null), { files: ['.claude/CLAUDE.md', 'memory/m.md'] });
  assert.equal(overlay.memory('memory/m.md'), {
    path: 'memory/m.md',
    text: '<!-- svc: from the base layer (/base) -->\n\none\n',
  });
  assert.equal(overlay.memory('CLAUDE.md'), {
    path: '.claude/CLAUDE.md',
    text: '<!-- svc: from the base layer (/base) -->\n\nrules\n',
  });
  for (const path of ['agents/coder.md', '../secret', 'memory/n.md', ''])
    refuses('not-found', /The memory file .* does not exist/, () => overlay.memory(path));
});

test('a missing path is refused with a suggestion', () => {
  const overlay = openOverlay(mergeLayers([base]));
  refuses(
    'not-found',
    /The overlay has no workflows\/jbo\.md\. Did you mean workflows\/job\.md\?/,
    () => overlay.workflow('workflows/jbo.md'),
  );
  for (const ask of [overlay.text, overlay.agent, overlay.findLayer])
    refuses('not-found', /The overlay has no agents\/x\.md\./, () => ask('agents/x.md'));
  refuses('not-found', /The overlay has no constructor/, () => overlay.text('constructor'));
});

const granting = workflow('null')
  .replace('---\n', '---\nwritesTo: [local:other]\n')
  .replace('agent: null', 'agent: agents/coder.md');

test('writesTo of a workflow counts in the base and tenant layer; in a repository it grants nothing until a user trusts it', () => {
  const tableIn = (layer: ReturnType<typeof layerWith>) => {
    const { table, diagnostics } = openOverlay(mergeLayers([base, layer])).workflow(
      'workflows/own.md',
    );
    return [table?.writesTo, diagnostics.map(({ code }) => code)];
  };
  assert.equal(tableIn(layerWith('tenant', { 'workflows/own.md': granting })), [
    ['local:other'],
    [],
  ]);
  const ofRepo = layerWith('repo', { 'workflows/own.md': granting });
  assert.equal(tableIn(ofRepo), [undefined, ['writes-to-not-trusted']]);
  assert.equal(tableIn({ ...ofRepo, trusted: true }), [['local:other'], []]);
});

test.run();
