import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProposalDraft } from '../../../src/contract/workflow/proposing.ts';
import {
  MAX_PROPOSAL_CHARS,
  MAX_PROPOSAL_FILE_CHARS,
  MAX_PROPOSAL_FILES,
} from '../../../src/base/agents/proposals.ts';
import type { ProposalPlace } from '../../../src/jobs/proposals/createLayerTextReader.ts';
import {
  resolveDraftLayer,
  resolveProposedFiles,
} from '../../../src/jobs/proposals/resolveProposedFiles.ts';
import { checkDraft } from '../../../src/workflows/proposals/checkDraft.ts';

const test = suite('proposals: what may be proposed');

const draft = (over: Partial<ProposalDraft> = {}): ProposalDraft => ({
  kind: 'memory',
  description: 'Say how to build.',
  files: [{ path: 'memory/build.md', text: 'Run make.' }],
  ...over,
});
const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return 'taken';
};
const TENANT: ProposalPlace = { layer: 'tenant', repo: null, provider: null };
const files = (
  fields: Partial<ProposalDraft>,
  texts: Record<string, string> = {},
  place = TENANT,
) =>
  resolveProposedFiles(draft(fields), place, async (_place, path) => texts[path] ?? null).catch(
    (error: Error) => error.message,
  );
const ofPath = (kind: ProposalDraft['kind'], path: string, texts = {}) =>
  files({ kind, files: [{ path, text: 'x' }] }, texts);

for (const path of [
  '../memory/a.md',
  '/memory/a.md',
  'memory\\a.md',
  'memory/../a.md',
  'memory/a\u0000.md',
  'memory/a\u202e.md',
])
  test(`no file leaves its layer: ${JSON.stringify(path)}`, async () => {
    assert.match(String(await ofPath('memory', path)), /Nothing was stored/);
  });

for (const [kind, path] of [
  ['memory', 'workflows/job.md'],
  ['agent', 'workflows/job.md'],
  ['workflow', 'memory/a.md'],
  ['skill', '.claude/settings.json'],
  ['skill', '.claude/hooks/run.sh'],
  ['memory', '.mcp.json'],
  ['agent', 'agents/run.mjs'],
  ['workflow', 'workflows/deep/job.md'],
  ['workflow', 'proposals/x/workflows/job.md'],
] as const)
  test(`${path} is no file of kind ${kind}`, async () => {
    assert.match(String(await ofPath(kind, path)), new RegExp(`is not a file of kind ${kind}`));
  });

test('a new name has no letters that look like others', async () => {
  assert.match(String(await ofPath('agent', 'agents/c\u043ede.md')), /may look alike/);
});

test('a file that exists keeps its name, whatever it is', async () => {
  const path = 'memory/überblick.md';
  assert.equal(await ofPath('memory', path, { [path]: 'old' }), [{ path, base: 'old', text: 'x' }]);
});

test('each file is stored with the text that it was proposed for', async () => {
  assert.equal(await files({}, { 'memory/build.md': 'Run it.' }), [
    { path: 'memory/build.md', base: 'Run it.', text: 'Run make.' },
  ]);
});

test('what is like that already changes nothing', async () => {
  assert.match(String(await files({}, { 'memory/build.md': 'Run make.' })), /nothing would change/);
});

test('what does not exist cannot be removed', async () => {
  assert.match(
    String(await files({ files: [{ path: 'memory/a.md', text: null }] })),
    /has no such file/,
  );
});

test('in a repository, files of the layer are below .svc', async () => {
  const place: ProposalPlace = { layer: 'repo', repo: 'shop', provider: 'local' };
  const result = await files({ files: [{ path: 'memory/a.md', text: 'x' }] }, {}, place);
  assert.equal(result, [{ path: '.svc/memory/a.md', base: null, text: 'x' }]);
});

const text = (chars: number) => 'x'.repeat(chars);
for (const [what, fields, says] of [
  [
    'too many files',
    {
      files: Array.from({ length: MAX_PROPOSAL_FILES + 1 }, (_, n) => ({
        path: `memory/${n}.md`,
        text: 'x',
      })),
    },
    /Split it/,
  ],
  [
    'a long file',
    { files: [{ path: 'memory/a.md', text: text(MAX_PROPOSAL_FILE_CHARS + 1) }] },
    /characters; a file/,
  ],
  [
    'much text',
    {
      files: Array.from({ length: 5 }, (_, n) => ({
        path: `memory/${n}.md`,
        text: text(MAX_PROPOSAL_CHARS / 4),
      })),
    },
    /together/,
  ],
  ['no file', { files: [] }, /at least one/],
  ['no reason', { description: ' ' }, /description is empty/],
  [
    'a name that differs in case only',
    {
      files: [
        { path: 'memory/a.md', text: 'x' },
        { path: 'memory/A.md', text: 'x' },
      ],
    },
    /upper and lower/,
  ],
] as const)
  test(`refused: ${what}`, () => {
    assert.match(
      refusal(() => checkDraft(draft(fields))),
      says,
    );
  });

test('by path, what is below .svc goes to the repository and the rest to the team (INT-9)', () => {
  const findLayer = (path: string) =>
    resolveDraftLayer('path', draft({ files: [{ path, text: 'x' }] }));
  assert.equal(['.svc/memory/a.md', 'memory/a.md', '.claude/CLAUDE.md'].map(findLayer), [
    'repo',
    'tenant',
    'tenant',
  ]);
});

test('by path, one proposal does not go to both', () => {
  const both = [
    { path: '.svc/memory/a.md', text: 'x' },
    { path: 'memory/a.md', text: 'x' },
  ];
  assert.match(
    refusal(() => resolveDraftLayer('path', draft({ files: both }))),
    /propose them separately/,
  );
});

test('by path, a target that says otherwise is refused', () => {
  assert.match(
    refusal(() => resolveDraftLayer('path', draft({ targetLayer: 'repo' }))),
    /The paths go to the tenant layer/,
  );
});

test('by the agent, the target must be named (INT-9)', () => {
  assert.match(
    refusal(() => resolveDraftLayer('agent', draft())),
    /Name targetLayer/,
  );
  assert.is(resolveDraftLayer('agent', draft({ targetLayer: 'repo' })), 'repo');
});

test.run();
