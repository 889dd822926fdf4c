import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resolveOverlay } from '../../src/jobs/workspace/jobOverlays.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { requireRunnableTable } from '../../src/jobs/create/jobChecks.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import type { Forge } from '../../src/contract/forge/forge.ts';
import { createForges } from '../../src/providers/forges.ts';
import { noOverlayGates } from '../support/standIns/noOverlayGates.ts';

const test = suite<{ dir: string }>('runner: unknown models');

test.before.each(async (context) => {
  context.dir = await mkdtemp(join(tmpdir(), 'svc-models-'));
  await mkdir(join(context.dir, 'workflows'));
  await mkdir(join(context.dir, 'agents'));
  await writeFile(join(context.dir, 'agents/a.md'), 'An agent.\n');
});
test.after.each(({ dir }) => rm(dir, { recursive: true, force: true }));

const forges = createForges([{ id: 'local' } as Partial<Forge> as Forge]);

const refusal = async (dir: string, phase: string, providers: () => string[]) => {
  await writeFile(
    join(dir, 'workflows/own.md'),
    `---\ndescription: d\ninitial_phase: p\nphases:\n  - { name: p, agent: agents/a.md, status: s, ${phase} }\n---\nText.\n`,
  );
  const llm: Settings['llm'] = {
    defaultProvider: 'command',
    aliases: { coding: { provider: 'command', model: 'large' } },
  };
  const settings = {
    baseIntelligence: dir,
    tenant: { id: 't', displayName: 't', overlay: { kind: 'none' as const } },
    llm,
  };
  const { overlay } = await resolveOverlay(
    settings,
    { ...noOverlayGates, forges, providers },
    null,
  );
  try {
    requireRunnableTable(overlay, 'workflows/own.md');
    return null;
  } catch (error) {
    if (!(error instanceof SvcError) || !Array.isArray(error.data.diagnostics)) throw error;
    const [first] = error.data.diagnostics;
    return [error.status, error.code, first.line, first.column, first.code, first.hint];
  }
};

test('an unknown alias or executor is refused before the job exists, with its place (CFG-3)', async ({
  dir,
}) => {
  const command = () => ['command'];
  assert.equal(await refusal(dir, 'model: codng', command), [
    422,
    'workflow-invalid',
    5,
    54,
    'unknown-alias',
    'Did you mean coding?',
  ]);
  assert.equal(await refusal(dir, 'provider: comand', command), [
    422,
    'workflow-invalid',
    5,
    57,
    'unknown-provider',
    'Did you mean command?',
  ]);
  assert.is(await refusal(dir, 'model: coding, provider: command', command), null);
});

test('an executor that is installed later is known immediately', async ({ dir }) => {
  const installed = ['command'];
  assert.is((await refusal(dir, 'provider: acme', () => installed))?.[4], 'unknown-provider');
  installed.push('acme');
  assert.is(await refusal(dir, 'provider: acme', () => installed), null);
});

test.run();
