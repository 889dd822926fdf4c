import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import WorkflowLintCommand from '../../cli/commands/workflow/lint.ts';
import { lintGithub } from '../../cli/render/lintGithub.ts';
import { lintSarif } from '../../cli/render/lintSarif.ts';
import type { Diagnostic } from '../../src/schema/diagnostic.ts';
import { LINT_CODES } from '../../src/authoring/workflows/findings.ts';
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

test('a finding as SARIF 2.1.0: every rule, the place, a relative address', () => {
  const log = lintSarif([finding], '1.2.3');
  const [run] = log.runs;
  const rules = Object.entries(LINT_CODES).map(([id, meaning]) => ({
    id,
    shortDescription: { text: meaning },
    help: { text: `See docs/reference/lint.md, ${id}.` },
  }));
  assert.equal(log, {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'svc workflow lint', version: '1.2.3', rules } },
        columnKind: 'utf16CodeUnits',
        results: [
          {
            ruleId: 'missing-agent',
            ruleIndex: rules.findIndex(({ id }) => id === 'missing-agent'),
            level: 'error',
            message: { text: '100% of it:\nmissing. Fix it.' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'a%20folder/b%2Cc.md' },
                  region: { startLine: 4, startColumn: 22 },
                },
              },
            ],
          },
        ],
      },
    ],
  });
  assert.is(run?.tool.driver.rules[run.results[0]?.ruleIndex ?? -1]?.id, 'missing-agent');
});

test('an absolute path becomes a file address, standard input a name', () => {
  const uriOf = (file: string) =>
    lintSarif([{ ...finding, file }], '1').runs[0]?.results[0]?.locations[0]?.physicalLocation
      .artifactLocation.uri;
  const path = join(tmpdir(), 'a b.md');
  assert.is(uriOf(path), pathToFileURL(path).href);
  assert.is(uriOf('<stdin>'), 'stdin');
});

test('a finding as a workflow command: what is in its texts can end neither the command nor a property', () => {
  assert.is(
    lintGithub(finding),
    '::error file=a folder/b%2Cc.md,line=4,col=22,title=missing-agent::100%25 of it:%0Amissing. Fix it.\n',
  );
  const evil = lintGithub({
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
    out: `::error file=${file},line=4,col=23,title=missing-agent::The agent agents/codr.md is in no layer. Did you mean agents/coder.md?\n`,
    err: '1 errors, 0 warnings\n',
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
