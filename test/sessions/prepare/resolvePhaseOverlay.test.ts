import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createForges } from '../../../src/providers/forges.ts';
import { resolvePhaseOverlay } from '../../../src/sessions/prepare/resolvePhaseOverlay.ts';
import { createWorkplace } from '../../../src/jobs/workspace/workplace.ts';
import { folderWith } from '../../support/intelligenceFolder.ts';
import { noOverlayGates } from '../../support/standIns/noOverlayGates.ts';

const test = suite('what a phase is prepared with when its layers are broken');

const WORKFLOW = `---
initial_phase: work
phases:
  - { name: work, agent: agents/a.md, status: working }
  - { name: more, agent: agents/a.md, status: more }
---
Text.
`;

/** A job whose first visit was prepared with the team's folder. */
async function prepareOverlay() {
  const team = folderWith({
    'workflows/w.md': WORKFLOW,
    'agents/a.md': '---\ndescription: d\ncommand: [node, "{layer}/run.mjs"]\n---\nWork.\n',
  });
  const workingDir = folderWith({});
  const workplace = createWorkplace({
    settings: {
      paths: { workingDir, stateDb: '', tokenFile: '', blobs: '', intelligenceDir: '' },
      baseIntelligence: folderWith({ 'agents/base.md': 'B' }),
      tenant: { id: 't', displayName: 'T', overlay: { kind: 'localDir', path: team } },
      llm: { defaultProvider: 'command', aliases: {} },
      cloud: { lostWork: 'continue' },
    },
    hostEnv: {},
    binDir: '/nowhere',
    ...noOverlayGates,
    forges: createForges([]),
  });
  const first = await workplace.overlay(null);
  const layers = await workplace.keepLayers('job-1', first);
  const rows = [{ event: { type: 'phase.prepared', layers } }];
  const next = (phase = 'more', journal: typeof rows = rows) =>
    resolvePhaseOverlay(workplace, {
      jobId: 'job-1',
      repo: null,
      workflowPath: 'workflows/w.md',
      phase,
      journal: () => journal,
    });
  return { team, next, first, archives: join(workingDir, 'job-1/_layers') };
}

const refusal = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'was prepared',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );

const BREAKS: Record<string, (team: string) => void> = {
  'its workflow has vanished': (team) => rmSync(join(team, 'workflows/w.md')),
  'its agent has vanished': (team) => rmSync(join(team, 'agents/a.md')),
  'its workflow has a lint error': (team) =>
    writeFileSync(join(team, 'workflows/w.md'), WORKFLOW.replace('status: more', 'status: More!')),
  'its workflow is a broken link': (team) => {
    rmSync(join(team, 'workflows/w.md'));
    symlinkSync('gone.md', join(team, 'workflows/w.md'));
  },
  'the folder is gone': (team) => rmSync(team, { recursive: true }),
};

for (const [what, break_] of Object.entries(BREAKS)) {
  test(`${what}: a running job keeps the layers that it had, and says why; a new one is refused with the reason`, async () => {
    const { team, next, first } = await prepareOverlay();
    break_(team);
    const { resolved, problem, table } = await next();
    assert.is(resolved.files.hash, first.files.hash);
    assert.equal(
      table.phases.map(({ name }) => name),
      ['work', 'more'],
    );
    assert.is(resolved.overlay.agent('agents/a.md').layerRoot, team);
    assert.ok((problem ?? '').length > 20);
    assert.is(await refusal(next('more', [])), problem);
  });
}

test('what is sound is used as it is now, and a phase that its author has removed is not brought back', async () => {
  const { team, next } = await prepareOverlay();
  writeFileSync(join(team, 'workflows/w.md'), WORKFLOW.replaceAll('more', 'other'));
  const { problem, table } = await next();
  assert.is(problem, null);
  assert.equal(
    table.phases.map(({ name }) => name),
    ['work', 'other'],
  );
});

test('an agent that changes what was kept does not get it used', async () => {
  const { team, next, archives } = await prepareOverlay();
  const [name = ''] = readdirSync(archives);
  writeFileSync(join(archives, name), 'mine');
  rmSync(join(team, 'workflows/w.md'));
  assert.match(await refusal(next()), /The overlay has no workflows\/w\.md/);
});

test.run();
