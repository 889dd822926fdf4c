import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import WorkflowLintCommand from '../../cli/commands/workflow/lint.ts';
import { formatLintForGithub } from '../../cli/render/workflow/formatLint.ts';
import { formatLintAsSarif } from '../../cli/render/workflow/formatLintAsSarif.ts';
import type { Diagnostic } from '../../src/contract/schema/workflow/diagnostic.ts';
import { LINT_CODES } from '../../src/workflows/definition/findings.ts';
import { LINT_FIXES } from '../../src/workflows/definition/lintFixes.ts';
import { CommandLine } from '../support/cli/commandLine.ts';

const test = suite('svc workflow lint: formats');

const finding: Diagnostic = {
  file: 'a folder/b,c.md',
  line: 4,
  column: 22,
  code: 'missing-agent',
  severity: 'error',
  message: '100% of it:\nmissing.',
  hint: 'Fix it.',
};

const options = { version: '1.2.3' };

test('a finding as SARIF 2.1.0: every rule with its text, the place, a fingerprint', () => {
  const log = formatLintAsSarif([finding], options);
  const [run] = log.runs;
  const rule = run?.tool.driver.rules.find(({ id }) => id === 'missing-agent');
  assert.equal(
    run?.tool.driver.rules.map(({ id }) => id),
    Object.keys(LINT_CODES),
  );
  assert.equal(rule, {
    id: 'missing-agent',
    shortDescription: { text: 'The agent file was not found.' },
    fullDescription: {
      text: 'The agent file was not found. Write the file, or correct the path.',
    },
    help: {
      text: `${LINT_FIXES['missing-agent'].fix} See missing-agent in docs/reference/lint.md of svc.`,
      markdown: `${LINT_FIXES['missing-agent'].fix} See \`missing-agent\` in docs/reference/lint.md of svc.`,
    },
    defaultConfiguration: { level: 'error' },
  });
  assert.equal(
    { ...log, runs: [{ ...run, tool: null }] },
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: null,
          columnKind: 'utf16CodeUnits',
          originalUriBaseIds: { '%SRCROOT%': { uri: `${pathToFileURL(process.cwd()).href}/` } },
          results: [
            {
              ruleId: 'missing-agent',
              ruleIndex: Object.keys(LINT_CODES).indexOf('missing-agent'),
              level: 'error',
              message: { text: '100% of it:\nmissing. Fix it.' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'a%20folder/b%2Cc.md', uriBaseId: '%SRCROOT%' },
                    region: { startLine: 4, startColumn: 22 },
                  },
                },
              ],
              partialFingerprints: {
                primaryLocationLineHash:
                  run?.results[0]?.partialFingerprints.primaryLocationLineHash,
              },
            },
          ],
        },
      ],
    },
  );
});

test('a finding keeps its fingerprint when its line moves; equal lines have different ones', () => {
  const listFingerprints = (findings: Diagnostic[], findLine = () => '  agent: agents/codr.md') =>
    formatLintAsSarif(findings, { ...options, findLine }).runs[0]?.results.map(
      ({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash,
    );
  const [before, second] = listFingerprints([finding, { ...finding, line: 9 }]) ?? [];
  assert.match(before ?? '', /^[0-9a-f]{16}:1$/);
  assert.is(second, before?.replace(':1', ':2'));
  assert.equal(listFingerprints([{ ...finding, line: 30 }]), [before]);
  assert.not.equal(
    listFingerprints([finding], () => 'other'),
    [before],
  );
});

test('an absolute path outside of a repository becomes a file address, standard input a name', () => {
  const readLocation = (file: string) =>
    formatLintAsSarif([{ ...finding, file }], options).runs[0]?.results[0]?.locations[0]
      ?.physicalLocation.artifactLocation;
  const path = join(tmpdir(), 'a b.md');
  assert.equal(readLocation(path), { uri: pathToFileURL(path).href });
  assert.equal(readLocation('<stdin>'), { uri: 'stdin' });
});

test('paths are those of the repository, from wherever and however the linter is run', async () => {
  const root = realpathSync(await mkdtemp(join(tmpdir(), 'svc-lint-')));
  await mkdir(join(root, '.git'));
  await mkdir(join(root, 'team/workflows'), { recursive: true });
  const file = join(root, 'team/workflows/a.md');
  await writeFile(file, TEXT);
  const line = new CommandLine({ SVC_HOME: root }, TEXT);
  const here = process.cwd();
  const outputs: string[] = [];
  const addresses: unknown[] = [];
  for (const [folder, path] of [
    [root, 'team'],
    [join(root, 'team'), '.'],
    [join(root, 'team/workflows'), 'a.md'],
    [here, file],
  ] as const) {
    process.chdir(folder);
    outputs.push((await line.run(WorkflowLintCommand, [path, '--format', 'github'])).out);
    const { runs } = JSON.parse((await line.run(WorkflowLintCommand, [path, '--sarif'])).out);
    addresses.push([
      runs[0].originalUriBaseIds['%SRCROOT%'].uri,
      runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri,
    ]);
  }
  process.chdir(here);
  for (const out of outputs)
    assert.match(out, /^::error file=team\/workflows\/a\.md,line=4,col=23,/);
  for (const address of addresses)
    assert.equal(address, [`${pathToFileURL(root).href}/`, 'team/workflows/a.md']);
  await rm(root, { recursive: true });
});

test('a finding as a workflow command: what is in its texts can end neither the command nor a property', () => {
  assert.is(
    formatLintForGithub(finding),
    '::error file=a folder/b%2Cc.md,line=4,col=22,title=missing-agent::100%25 of it:%0Amissing. Fix it.\n',
  );
  const evil = formatLintForGithub({
    ...finding,
    severity: 'warning',
    file: 'a\n::stop-commands::x',
    message: 'a\r\n::error::b',
    hint: '',
  });
  assert.is(
    evil,
    '::warning file=a%0A%3A%3Astop-commands%3A%3Ax,line=4,col=22,title=missing-agent::a%0D%0A::error::b\n',
  );
});

const TEXT =
  '---\ninitial_phase: a\nphases:\n  - { name: a, agent: agents/codr.md, status: coding }\n---\n';

test('the command writes one format at a time, and exits with 1 whichever it is', async () => {
  const home = await mkdtemp(join(tmpdir(), 'svc-lint-'));
  const file = join(home, 'a.md');
  await writeFile(file, TEXT);
  const line = new CommandLine({ SVC_HOME: home }, TEXT);
  const github = await line.run(WorkflowLintCommand, [file, '--format', 'github']);
  assert.equal(github, {
    code: 1,
    out: `::error file=${file},line=4,col=23,title=missing-agent::agents/codr.md was not found (searched: repository, team, built-in). Did you mean agents/coder.md?\n`,
    err: '1 error, 0 warnings in 1 file.\n',
  });
  const sarif = await line.run(WorkflowLintCommand, ['-', '--sarif']);
  assert.is(sarif.code, 1);
  assert.equal(
    JSON.parse(sarif.out).runs[0].results.map((result: { ruleId: string }) => result.ruleId),
    ['missing-agent'],
  );
  assert.is((await line.run(WorkflowLintCommand, [file, '--sarif', '--format', 'github'])).code, 2);
  await rm(home, { recursive: true });
});

test.run();
