import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { FileVersions } from '../../../src/jobs/workspace/editing/fileVersions.ts';
import { rowsInMemory } from '../../support/rowsInMemory.ts';
import { TenantFolder } from '../../../src/jobs/workspace/editing/tenantFolder.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resolveOverlay } from '../../../src/jobs/workspace/jobOverlays.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { createAuthoring } from '../../../src/jobs/workspace/editing/authoring.ts';
import { createForges } from '../../../src/providers/forges.ts';
import { folderWith } from '../../support/intelligenceFolder.ts';
import { noOverlayGates } from '../../support/standIns/noOverlayGates.ts';

const test = suite('authoring');

const JOB =
  '---\ninitial_phase: code\nphases:\n  - { name: code, agent: agents/coder.md, status: coding }\n---\nText.\n';
const base = folderWith({
  'workflows/job.md': JOB,
  'agents/coder.md': 'When done `goto_phase("report")`.',
  'memory/a.md': 'A',
});

/** A home for jobs without a person, on a machine that has no program, with no plugin. */
const HERE = {
  interactive: false,
  lacksProgram: (word: string) => `the program ${word} is in no folder of PATH`,
  providers: [],
};

const openAuthoring = (tenantFiles: Record<string, string> | null) => {
  const dir = tenantFiles && folderWith(tenantFiles);
  const overlay =
    dir === null ? ({ kind: 'none' } as const) : ({ kind: 'localDir', path: dir } as const);
  const settings = {
    baseIntelligence: base,
    tenant: { id: 't', displayName: 'T', overlay },
    llm: { defaultProvider: 'command', aliases: {} },
  };
  let drafts = 0;
  const authoring = createAuthoring({
    settings,
    tenantFolder: new TenantFolder({ overlay }, '/home/intelligence'),
    versions: new FileVersions({ ...rowsInMemory(), now: () => 0 }),
    createDraftName: () => `draft-${drafts++}`,
    workplace: {
      overlay: (repo, use) =>
        resolveOverlay(
          settings,
          { ...noOverlayGates, forges: createForges([]), here: () => HERE },
          repo,
          use,
        ),
    },
  });
  return { ...authoring, dir: dir ?? '' };
};

const refusal = async (act: Promise<unknown>): Promise<string> => {
  try {
    await act;
    return 'was done';
  } catch (error) {
    return error instanceof SvcError ? error.code : String(error);
  }
};

test('a text is linted as if it were at its path, with the agents of the layers around it, and drawn (INT-5, UI-4)', async () => {
  const { lintWorkflow, dir } = openAuthoring({});
  const text = JOB.replace('agents/coder.md', 'agents/codr.md').replace(
    'status: coding',
    'status: Coding',
  );
  const { diagnostics, machine } = await lintWorkflow({ path: 'workflows/new.md', text });
  assert.equal(
    diagnostics.map(
      ({ file, line, column, code, hint }) => `${file}:${line}:${column} ${code} ${hint}`,
    ),
    [
      'workflows/new.md:4:26 missing-agent Did you mean agents/coder.md?',
      'workflows/new.md:4:50 bad-status Write coding.',
    ],
  );
  assert.equal(machine?.chart, 'workflows/new.md');
  assert.equal(machine?.label, 'New');
  assert.equal(
    machine?.definition.states.map(({ path }) => path),
    ['code', '(complete)'],
  );
  assert.is(existsSync(join(dir, 'workflows')), false, 'nothing was written');
});

test('an incomplete workflow has findings and no chart; an agent is read as one, by the rules of its layer', async () => {
  const { lintWorkflow } = openAuthoring({});
  assert.equal((await lintWorkflow({ path: 'workflows/a.md', text: '' })).machine, null);
  assert.equal(
    (await lintWorkflow({ path: 'workflows/a.md', text: '' })).diagnostics[0]?.code,
    'empty-front-matter',
  );
  const agent = { path: 'agents/a.md', text: '---\ncommand: [x]\n---\n' };
  assert.equal(
    (await lintWorkflow(agent)).diagnostics.map(({ code }) => code),
    ['missing-program'],
  );
  assert.equal(
    (await lintWorkflow({ ...agent, layer: 'repo' })).diagnostics.map(({ code }) => code),
    ['command-not-trusted', 'missing-program'],
  );
  for (const path of ['../x.md', '/etc/passwd', 'workflows/../../x.md', 'a\\b.md', '']) {
    assert.is(await refusal(lintWorkflow({ path, text: '' })), 'bad-argument', path);
  }
});

test('an author gets the findings of svc workflow lint about this home: servers, programs, checkpoints, providers (INT-5)', async () => {
  const { lintWorkflow } = openAuthoring({});
  const text = [
    '---',
    'initial_phase: code',
    'phases:',
    '  - name: code',
    '    agent: agents/coder.md',
    '    status: coding',
    '    interactive_checkpoint: true',
    '    tools: [mcp__browser, githb_create_pr]',
    '---',
    '',
  ].join('\n');
  const codes = async (path: string, one: string) =>
    (await lintWorkflow({ path, text: one })).diagnostics.map(({ code }) => code).sort();
  assert.equal(await codes('workflows/new.md', text), [
    'checkpoint-without-person',
    'tool-not-installed',
    'unknown-server',
  ]);
  assert.equal(await codes('agents/a.md', '---\ncommand: [deploy]\n---\n'), ['missing-program']);
});

test('an author sees what was proved of the invariants', async () => {
  const { lintWorkflow } = openAuthoring({});
  const text =
    '---\ninitial_phase: a\nphases:\n  - { name: a, agent: null, status: a }\ninvariants: [{ id: never-ends, never: complete }]\n---\n';
  const { proofs } = await lintWorkflow({ path: 'workflows/new.md', text });
  assert.equal(
    proofs.map(({ invariant, result }) => [invariant, result]),
    [['never-ends', 'prevents-completion']],
  );
});

test('the layers with their files, and which of them can be written to (INT-7)', async () => {
  const { intelligenceLayers, dir } = openAuthoring({ 'workflows/job.md': JOB });
  assert.equal(await intelligenceLayers({}), {
    layers: [
      {
        name: 'base',
        origin: base,
        editable: false,
        files: [
          { path: 'agents/coder.md', bytes: 33 },
          { path: 'memory/a.md', bytes: 1 },
          { path: 'workflows/job.md', bytes: JOB.length },
        ],
      },
      {
        name: 'tenant',
        origin: dir,
        editable: true,
        files: [{ path: 'workflows/job.md', bytes: JOB.length }],
      },
    ],
  });
});

test('a file of a layer, by default the effective one, with its version (INT-7)', async () => {
  const { intelligenceFile } = openAuthoring({ 'workflows/job.md': 'own' });
  const own = await intelligenceFile({ path: 'workflows/job.md' });
  assert.equal(own.file, {
    path: 'workflows/job.md',
    layer: 'tenant',
    text: 'own',
    editable: true,
    layers: ['base', 'tenant'],
  });
  assert.match(own.etag, /^"[0-9a-f]{64}"$/);
  const below = await intelligenceFile({ path: 'workflows/job.md', layer: 'base' });
  assert.equal(below.file.text, JOB);
  assert.equal(below.file.editable, false);
  assert.is.not(below.etag, own.etag);
  assert.is(
    await refusal(intelligenceFile({ path: 'agents/coder.md', layer: 'tenant' })),
    'not-found',
  );
  assert.is(await refusal(intelligenceFile({ path: '../../etc/passwd' })), 'bad-argument');
});

test('a file is written where its version is the current one; a new one where none exists (INT-7)', async () => {
  const {
    writeIntelligenceFile: write,
    intelligenceFile,
    removeIntelligenceFile: remove,
    dir,
  } = openAuthoring({});
  const first = await write('workflows/new.md', JOB, null);
  assert.equal(first.diagnostics, []);
  assert.equal(readFileSync(join(dir, 'workflows/new.md'), 'utf8'), JOB);
  assert.is(await refusal(write('workflows/new.md', `${JOB}x`, null)), 'precondition-required');
  assert.is(await refusal(write('workflows/new.md', `${JOB}x`, '"old"')), 'precondition-failed');
  const second = await write('workflows/new.md', `${JOB}x`, first.etag);
  assert.is((await intelligenceFile({ path: 'workflows/new.md' })).etag, second.etag);
  assert.is(await refusal(remove('workflows/new.md', first.etag)), 'precondition-failed');
  await remove('workflows/new.md', second.etag);
  assert.is(existsSync(join(dir, 'workflows/new.md')), false);
  assert.is(await refusal(remove('workflows/new.md', second.etag)), 'not-found');
  assert.is(await refusal(write('workflows/gone.md', JOB, second.etag)), 'precondition-failed');
});

test('a refusal for the version names the current one; null where the file is gone (INT-7)', async () => {
  const { writeIntelligenceFile: write } = openAuthoring({});
  const catchEtag = (act: Promise<unknown>) => act.catch((error: SvcError) => error.data.etag);
  const { etag } = await write('memory/a.md', 'one', null);
  assert.is(await catchEtag(write('memory/a.md', 'two', '"old"')), etag);
  assert.is(await catchEtag(write('memory/a.md', 'two', null)), etag);
  assert.is(await catchEtag(write('memory/b.md', 'two', '"old"')), null);
});

test('of two writers of one version one wins, and the other is refused', async () => {
  const { writeIntelligenceFile: write, dir } = openAuthoring({ 'memory/a.md': 'old' });
  const { etag } = await openAuthoring({ 'memory/a.md': 'old' }).intelligenceFile({
    path: 'memory/a.md',
    layer: 'tenant',
  });
  const outcomes = await Promise.all(
    ['one', 'two'].map((text) => refusal(write('memory/a.md', text, etag))),
  );
  assert.equal(outcomes, ['was done', 'precondition-failed']);
  assert.equal(readFileSync(join(dir, 'memory/a.md'), 'utf8'), 'one');
});

test('a file with errors is refused with its findings: jobs that run would read it at their next phase', async () => {
  const { writeIntelligenceFile: write, dir } = openAuthoring({});
  try {
    await write('workflows/new.md', JOB.replace('status: coding', 'status: Coding'), null);
    assert.unreachable();
  } catch (error) {
    assert.ok(error instanceof SvcError);
    assert.is(error.code, 'workflow-invalid');
    assert.match(JSON.stringify(error.data), '"code":"bad-status"');
  }
  assert.is(existsSync(join(dir, 'workflows/new.md')), false);
});

test('nothing is written outside of the folder, through a link, to a program, or without a folder', async () => {
  const { writeIntelligenceFile: write, dir } = openAuthoring({ 'agents/a.md': 'A' });
  const elsewhere = folderWith({ 'x.md': 'theirs' });
  symlinkSync(elsewhere, join(dir, 'memory'));
  symlinkSync(join(elsewhere, 'x.md'), join(dir, 'agents/link.md'));
  const attempts: [path: string, code: string][] = [
    ['../x.md', 'bad-argument'],
    ['workflows/../../x.md', 'bad-argument'],
    ['/tmp/x.md', 'bad-argument'],
    ['hooks/run.sh', 'bad-argument'],
    ['.mcp.json', 'bad-argument'],
    ['guardrails/a.md', 'bad-argument'],
    ['workflows/a.md\n', 'bad-argument'],
    ['memory/x.md', 'forbidden'],
    ['memory/new.md', 'forbidden'],
  ];
  for (const [path, code] of attempts)
    assert.is(await refusal(write(path, 'mine', null)), code, path);
  assert.is(
    await refusal(
      openAuthoring({ 'agents/a.md': 'A' }).writeIntelligenceFile('agents/a.md/b.md', 'mine', null),
    ),
    'forbidden',
  );
  assert.is(await refusal(write('agents/link.md', 'mine', null)), 'forbidden');
  assert.is(readFileSync(join(elsewhere, 'x.md'), 'utf8'), 'theirs');
  assert.is(existsSync(join(elsewhere, 'new.md')), false);
  assert.is(
    await refusal(openAuthoring(null).writeIntelligenceFile('memory/a.md', 'x', null)),
    'not-possible-now',
  );
  assert.ok(statSync(join(dir, 'agents/a.md')).isFile());
});

test.run();
