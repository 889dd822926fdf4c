import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeLayers } from '../../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay, type OverlayContext } from '../../../src/workflows/overlay/openOverlay.ts';
import { layerWith } from '../../support/intelligenceFolder.ts';

const test = suite('invariants of layers and of the configuration');

const PATH = 'workflows/release.md';

const file = (...rules: string[]): string => `---
initial_phase: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
  - { name: merging, agent: agents/coder.md, status: merging, tools: [scm_merge_pr] }
${rules.length === 0 ? '' : `invariants:\n${rules.map((rule) => `  - ${rule}\n`).join('')}`}---
Do it.
`;

const APPROVED = '{ id: merge-approved, never: merge, unless: approved since push }';
const PERSON = '{ id: asked, never: merge, unless: person }';

const open = (
  texts: { base?: string; tenant?: string; repo?: string; ofAll?: string },
  context: OverlayContext = {},
) =>
  openOverlay(
    mergeLayers([
      layerWith('base', {
        'agents/coder.md': 'Code.',
        ...(texts.base === undefined ? {} : { [PATH]: texts.base }),
      }),
      layerWith('tenant', {
        'agents/tenant.md': 'Code.',
        ...(texts.tenant === undefined ? {} : { [PATH]: texts.tenant }),
        ...(texts.ofAll === undefined ? {} : { 'invariants.md': texts.ofAll }),
      }),
      layerWith('repo', texts.repo === undefined ? {} : { [PATH]: texts.repo }),
    ]),
    context,
  );

const collectRules = (...args: Parameters<typeof open>): string[] =>
  (open(...args).workflow(PATH).table?.invariants ?? []).map(
    ({ id, from = 'own' }) => `${id} ${from}`,
  );

test('a repository that replaces a workflow of the tenant drops none of its rules', () => {
  assert.equal(collectRules({ tenant: file(APPROVED), repo: file() }), ['merge-approved tenant']);
});

test('it may add some', () => {
  assert.equal(collectRules({ tenant: file(APPROVED), repo: file(PERSON) }), [
    'merge-approved tenant',
    'asked own',
  ]);
});

test('a weaker rule with the same id takes nothing away', () => {
  const weaker = '{ id: merge-approved, never: merge, unless: person }';
  assert.equal(collectRules({ tenant: file(APPROVED), repo: file(weaker) }), [
    'merge-approved tenant',
    'merge-approved own',
  ]);
});

test('every earlier layer counts', () => {
  assert.equal(collectRules({ base: file(APPROVED), tenant: file(PERSON), repo: file() }), [
    'merge-approved base',
    'asked tenant',
  ]);
});

test('rules of the configuration hold for every workflow', () => {
  const list = [{ id: 'merge-approved', never: 'merge', unless: 'approved since push' }];
  assert.equal(collectRules({ repo: file() }, { invariants: [{ from: 'configuration', list }] }), [
    'merge-approved configuration',
  ]);
});

test('so do those of invariants.md in a layer', () => {
  const ofAll = `---\ninvariants:\n  - ${APPROVED}\n---\n`;
  assert.equal(collectRules({ repo: file(), ofAll }), ['merge-approved tenant']);
});

test('a rule of the tenant that cannot be read is refused, not left out', () => {
  const { table, diagnostics } = open({
    tenant: file('{ id: merge-approved, never: merg }'),
    repo: file(),
  }).workflow(PATH);
  assert.is(table, null);
  assert.match(diagnostics.map(({ message }) => message).join(), /invariants\[0\] \(tenant\)/);
});

test('invariants.md that cannot be read is refused', () => {
  assert.is(open({ repo: file(), ofAll: '---\n: [\n---\n' }).workflow(PATH).table, null);
});

test('a draft of the tenant is not held to its own earlier text', () => {
  const overlay = open({ base: file(PERSON), tenant: file(APPROVED) });
  const { table } = overlay.draft(PATH, file());
  assert.equal(
    table?.invariants?.map(({ id }) => id),
    ['asked'],
  );
});

test.run();
