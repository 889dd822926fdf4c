import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LintReply } from '../../src/contract/schema/workflow/intelligence.ts';
import { splitMergedLines } from '../../ui/authoring/FileViews.tsx';
import {
  listAuthoredFiles,
  canSave,
  createWorkflowTemplate,
} from '../../ui/authoring/authoredFiles.ts';
import { lintSoon } from '../../ui/authoring/lintSoon.ts';
import { parseWorkflow } from '../../src/workflows/definition/parseWorkflow.ts';

const test = suite('ui: writing workflows');

const file = (path: string) => ({ path, bytes: 1 });
const LAYERS = {
  layers: [
    {
      name: 'base' as const,
      origin: '/base',
      editable: false,
      files: [
        'agents/coder.md',
        'memory/a.md',
        'workflows/README.md',
        'workflows/job.md',
        'workflows/deep/x.md',
      ].map(file),
    },
    {
      name: 'tenant' as const,
      origin: '/team',
      editable: true,
      files: ['agents/review/a.md', 'workflows/job.md'].map(file),
    },
  ],
};

test('files of all layers, each once, with its kind and the layers that have it', () => {
  assert.equal(listAuthoredFiles(LAYERS), [
    { path: 'agents/coder.md', kind: 'agent', layers: ['base'] },
    { path: 'agents/review/a.md', kind: 'agent', layers: ['tenant'] },
    { path: 'memory/a.md', kind: 'memory', layers: ['base'] },
    { path: 'workflows/README.md', kind: 'other', layers: ['base'] },
    { path: 'workflows/deep/x.md', kind: 'other', layers: ['base'] },
    { path: 'workflows/job.md', kind: 'workflow', layers: ['base', 'tenant'] },
  ]);
  assert.is(canSave(LAYERS), true);
  assert.is(canSave({ layers: LAYERS.layers.slice(0, 1) }), false);
});

test('the merged view names the layer of each line, and where a layer begins', () => {
  const parts = [
    { layer: null, lines: 1 },
    { layer: 'base' as const, lines: 2 },
  ];
  assert.equal(
    splitMergedLines({ path: 'memory/a.md', text: 'b\none\ntwo\n', parts, replaces: [] }),
    [
      { layer: null, first: true, text: 'b' },
      { layer: 'base', first: true, text: 'one' },
      { layer: 'base', first: false, text: 'two' },
    ],
  );
});

test('the text of a new workflow has no findings', () => {
  const { diagnostics, meta } = parseWorkflow(
    createWorkflowTemplate('tidy-up'),
    'workflows/tidy-up.md',
  );
  assert.equal(diagnostics, []);
  assert.equal(meta.label, 'tidy-up');
});

test('only the newest text is linted, once typing stops, and an answer to an older one is discarded', async () => {
  const texts: string[] = [];
  const answers = new Map<string, (reply: LintReply) => void>();
  const counts: number[] = [];
  let noteSend = () => {};
  const next = () =>
    new Promise<void>((resolve) => {
      noteSend = resolve;
    });
  const client = {
    lintWorkflow: ({ text }: { text: string }) => {
      texts.push(text);
      noteSend();
      return new Promise<LintReply>((resolve) => answers.set(text, resolve));
    },
  };
  const reply = (count: number): LintReply => ({
    machine: null,
    proofs: [],
    diagnostics: Array.from({ length: count }, () => ({
      file: 'w',
      line: 1,
      column: 1,
      code: 'x',
      severity: 'error' as const,
      message: '',
      hint: '',
    })),
  });
  const lint = lintSoon(
    client,
    { path: 'w' },
    { found: ({ diagnostics }) => counts.push(diagnostics.length), onFail: () => {} },
  );
  const first = next();
  lint.look('a');
  lint.look('ab');
  await first;
  const second = next();
  lint.look('abc');
  answers.get('ab')?.(reply(1));
  await second;
  answers.get('abc')?.(reply(2));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(texts, ['ab', 'abc']);
  assert.equal(counts, [2]);
  lint.stop();
});

test.run();
