import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnoseOverlay } from '../../cli/doctor/overlay.ts';
import { lintPaths } from '../../src/workflows/overlay/lintPaths.ts';
import { preflightFiles } from '../../src/jobs/proposals/preflightFiles.ts';
import { createForges } from '../../src/providers/forges.ts';
import { resolveOverlay } from '../../src/jobs/workspace/jobOverlays.ts';
import { folderWith } from '../support/intelligenceFolder.ts';
import { noOverlayGates } from '../support/standIns/noOverlayGates.ts';

const test = suite('a bad item of a layer');

const WORKFLOW = (agent: string) =>
  `---\ninitial_phase: work\nphases:\n  - { name: work, agent: ${agent}, status: working }\n---\nText.\n`;

const base = folderWith({ 'agents/base.md': '---\ndescription: d\n---\nWork.\n' });

const text = (path: string, content: string | Uint8Array) => (dir: string) => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
};
const link = (path: string, target: string) => (dir: string) => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  symlinkSync(target, join(dir, path));
};

/** What is put into the folder, by the path that is left out of it. */
const ITEMS: Record<string, (dir: string) => void> = {
  'agents/old.md': link('agents/old.md', 'gone.md'),
  'agents/more': link('agents/more', '/etc'),
  'memory/out.md': link('memory/out.md', '/etc/passwd'),
  'agents/circle': link('agents/circle', '..'),
  'agents/self.md': link('agents/self.md', 'self.md'),
  '.claude/skills/s': link('.claude/skills/s', '../../../elsewhere'),
  'agents/pipe.md': (dir) => {
    mkdirSync(join(dir, 'agents'), { recursive: true });
    execFileSync('mkfifo', [join(dir, 'agents/pipe.md')]);
  },
  'memory/big.md': text('memory/big.md', 'x'.repeat(1024 * 1024 + 1)),
  'memory/latin.md': text('memory/latin.md', Buffer.from([0x63, 0xe9])),
  'agents/a\\b.md': text('agents/a\\b.md', 'x'),
  'agents/a\u200bb.md': text('agents/a\u200bb.md', 'x'),
  'memory/same.md': (dir) => {
    text('memory/Same.md', 'x')(dir);
    text('memory/same.md', 'x')(dir);
  },
  'guide.pdf': text('guide.pdf', 'x'.repeat(1024 * 1024 + 1)),
  ...(process.getuid?.() === 0
    ? {}
    : {
        'agents/secret.md': (dir: string) => {
          text('agents/secret.md', 'x')(dir);
          chmodSync(join(dir, 'agents/secret.md'), 0o000);
        },
      }),
};

const createSettings = (path: string) => ({
  baseIntelligence: base,
  tenant: { id: 't', displayName: 'T', overlay: { kind: 'localDir', path } as const },
  llm: { defaultProvider: 'command', aliases: {} },
});

for (const [path, put] of Object.entries(ITEMS)) {
  test(`${JSON.stringify(path)} is left out with the same finding by jobs, lint, preflight and doctor, and its neighbours stay`, async () => {
    const dir = folderWith({
      'workflows/w.md': WORKFLOW('agents/fine.md'),
      'agents/fine.md': '---\ndescription: d\n---\nWork.\n',
    });
    put(dir);
    const settings = createSettings(dir);
    const overlay = () =>
      resolveOverlay(settings, { ...noOverlayGates, forges: createForges([]) }, null);
    const { files, overlay: open } = await overlay();
    assert.equal(
      files.leftOut.map((one) => one.path),
      [path],
    );
    const reason = files.leftOut[0]?.reason ?? '';
    const ofLint = await lintPaths([dir], { baseIntelligence: base });
    const ofPreflight = await preflightFiles({ overlay }, { files: [] });
    const finding = {
      code: 'left-out',
      severity: 'warning',
      message: `It is not used: ${reason}.`,
    };
    for (const findings of [ofLint, ofPreflight.findings])
      assert.equal(
        findings.map(({ file, code, severity, message }) => [
          file.replace(`${dir}/`, ''),
          { code, severity, message },
        ]),
        [[path, finding]],
      );
    const { status, detail } = await diagnoseOverlay(settings, null);
    assert.is(status, 'warning');
    assert.ok(detail.includes(`${path} of the tenant layer is not used: ${reason}.`), detail);
    assert.is(open.workflow('workflows/w.md').table === null, false);
  });
}

test('a workflow that needs what is left out is refused with the finding, and no other', async () => {
  const dir = folderWith({
    'workflows/needs.md': WORKFLOW('agents/old.md'),
    'workflows/fine.md': WORKFLOW('agents/base.md'),
  });
  link('agents/old.md', 'gone.md')(dir);
  link('workflows/gone.md', 'nowhere.md')(dir);
  const { overlay } = await resolveOverlay(
    createSettings(dir),
    { ...noOverlayGates, forges: createForges([]) },
    null,
  );
  const { table, diagnostics } = overlay.workflow('workflows/needs.md');
  assert.is(table, null);
  assert.ok(
    diagnostics.some(
      ({ message }) =>
        message ===
        'It needs agents/old.md, which was omitted from the tenant layer: the link is broken.',
    ),
  );
  assert.is(overlay.workflow('workflows/fine.md').table === null, false);
  assert.throws(
    () => overlay.workflow('workflows/gone.md'),
    /It was omitted from the tenant layer: the link is broken\. Remove it or fix it\./,
  );
});

test('what a bad file of the team would replace is not used in its place, and its rules do not lapse', async () => {
  const ofSvc = folderWith({
    'workflows/w.md': WORKFLOW('agents/a.md'),
    'agents/a.md': '---\ndescription: d\n---\nWork.\n',
  });
  for (const path of ['workflows/w.md', 'agents/a.md', 'invariants.md']) {
    const dir = folderWith({});
    link(path, 'gone.md')(dir);
    const settings = { ...createSettings(dir), baseIntelligence: ofSvc };
    const { overlay } = await resolveOverlay(
      settings,
      { ...noOverlayGates, forges: createForges([]) },
      null,
    );
    assert.is(overlay.workflow('workflows/w.md').table, null, path);
  }
});

test.run();
