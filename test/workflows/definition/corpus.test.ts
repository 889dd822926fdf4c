import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lintPaths } from '../../../src/workflows/overlay/lintPaths.ts';
import type { LintContext } from '../../../src/workflows/overlay/readDraft.ts';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import { acpPlugin } from '../../../src/plugins/builtIn/acp.ts';
import { createUnknownToolExplainer } from '../../../src/executors/tools/catalogue/toolAllowlist.ts';
import { createUnknownProviderExplainer } from '../../../src/executors/tools/catalogue/createUnknownProviderExplainer.ts';
import { LINT_CODES } from '../../../src/workflows/definition/findings.ts';
import { listPhaseProviders } from '../../../src/workflows/definition/resolvePhaseModel.ts';

const test = suite('corpus of workflows and agents');

const root = join(import.meta.dirname, '../../..');
const corpus = join(import.meta.dirname, './corpus');

const filesIn = (folder: string): string[] =>
  readdirSync(join(corpus, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) =>
      relative(join(corpus, folder), join(entry.parentPath, entry.name)).split(sep).join('/'),
    )
    .sort();

/** A home with three aliases, the third of which names an executor that is not installed. */
const llm: Settings['llm'] = {
  defaultProvider: 'command',
  aliases: Object.fromEntries(
    ['planning', 'coding', 'remote'].map((name) => [
      name,
      { provider: name === 'remote' ? 'acme' : 'command', model: 'default' },
    ]),
  ),
};

/** Of the folders: a home with one tool server, without a person, with no program but node and no plugin. */
const home: Partial<LintContext> = {
  servers: ['browser'],
  interactive: false,
  caps: { job: { usd: 10 } },
  unknownProvider: createUnknownProviderExplainer([]),
  lacksProgram: (word) => (word === 'node' ? null : `the program ${word} is in no folder of PATH`),
};

const lintCorpusFile = async (path: string, more: Partial<LintContext> = {}): Promise<string[]> => {
  const diagnostics = await lintPaths([join(corpus, path)], {
    baseIntelligence: join(root, 'intelligence'),
    aliases: Object.keys(llm.aliases),
    executors: { ids: ['command', ...listPhaseProviders(acpPlugin.manifest)], llm },
    unknownTool: createUnknownToolExplainer(['local']),
    ...(path.includes('of-a-repository') ? { layer: 'repo' } : {}),
    ...more,
  });
  return diagnostics.map(
    ({ line, column, severity, code }) => `${line}:${column} ${severity} ${code}`,
  );
};

/** File → what is found in it, in the order of the file. */
const EXPECTED: Record<string, string[]> = JSON.parse(
  readFileSync(join(corpus, 'expected.json'), 'utf8'),
);

test('at least sixty broken files, each with every finding at its line and column, and no other', async () => {
  const files = filesIn('broken');
  assert.ok(files.length >= 60, `${files.length} broken files`);
  const entries = await Promise.all(
    files.map(async (file) => [file, await lintCorpusFile(`broken/${file}`)]),
  );
  assert.equal(Object.fromEntries(entries), EXPECTED);
});

test('a broken file is named after the code that it shows', () => {
  const codes = new Set(Object.keys(LINT_CODES));
  for (const [file, findings] of Object.entries(EXPECTED)) {
    const name = basename(file, '.md').split('--')[0] ?? '';
    if (codes.has(name))
      assert.ok(
        findings.some((one) => one.endsWith(` ${name}`)),
        file,
      );
    else assert.ok(findings.length > 0, file);
  }
});

test('every code of a workflow or an agent is shown, except those of campaigns and of large files', () => {
  const shownCodes = new Set([
    ...Object.values(EXPECTED).flatMap((findings) => findings.map((one) => one.split(' ')[2])),
    ...readdirSync(join(corpus, 'folders')).map((folder) => folder.split('--')[0]),
  ]);
  assert.equal(
    Object.keys(LINT_CODES).filter((code) => !shownCodes.has(code)),
    [
      'agent-without-executor',
      'campaign-without-text',
      'circle-of-sub-runs',
      'duplicate-sub-run',
      'file-too-large',
      'front-matter-too-large',
      'unknown-sub-run',
    ],
  );
});

test('what only several files or a home show: each folder shows the code that it is named after, and no other', async () => {
  const folders = readdirSync(join(corpus, 'folders'));
  assert.ok(folders.length >= 9, `${folders.length} folders`);
  for (const folder of folders) {
    const [code = ''] = folder.split('--');
    const findings = await lintCorpusFile(`folders/${folder}`, home);
    assert.equal(
      findings.map((one) => one.split(' ')[2]),
      [code],
      folder,
    );
  }
});

test('at least twenty good files without a finding', async () => {
  const files = filesIn('good');
  assert.ok(files.length >= 20, `${files.length} good files`);
  for (const file of files) assert.equal(await lintCorpusFile(`good/${file}`), [], file);
});

test.run();
