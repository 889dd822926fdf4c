import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import ConfigGetCommand from '../../cli/commands/config/get.ts';
import WorkflowLintCommand from '../../cli/commands/workflow/lint.ts';
import WorkflowSimulateCommand from '../../cli/commands/workflow/simulate.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { readRecipeFiles } from '../support/docs/readRecipeFiles.ts';

const test = suite('docs: recipes');

const files = readRecipeFiles();
const isSetting = (path: string): boolean => path.startsWith('config.json');
const workflows = files.map(({ path }) => path).filter((path) => path.startsWith('workflows/'));

const home = mkdtempSync(join(tmpdir(), 'svc-recipes-'));
const layer = join(home, 'layer');
/** A model, so that agents without a program of their own can run. */
const MODEL = {
  llm: { defaultProvider: 'builtin' },
  plugins: {
    installed: {
      builtin: {
        config: { api: 'anthropic', baseUrl: 'http://127.0.0.1:9', apiKey: 'k', model: 'm' },
      },
    },
  },
};
const configure = (more: object): void =>
  writeFileSync(join(home, 'config.json'), JSON.stringify({ ...MODEL, ...more }));

test.before(() => {
  configure({});
  for (const { path, text } of files.filter((file) => !isSetting(file.path))) {
    mkdirSync(dirname(join(layer, path)), { recursive: true });
    writeFileSync(join(layer, path), text);
  }
});
test.after(() => rmSync(home, { recursive: true, force: true }));

const run = (command: Parameters<CommandLine['run']>[0], argv: string[]) =>
  new CommandLine({ SVC_HOME: home }).run(command, argv);

test('the page has the files of three recipes', () => {
  assert.equal(workflows, [
    'workflows/bug.md',
    'workflows/review.md',
    'workflows/updates.md',
    'workflows/update.md',
  ]);
  assert.is(files.filter(({ path }) => isSetting(path)).length, 3);
});

for (const path of workflows) {
  test(`${path} has no problem`, async () => {
    const { code, out } = await run(WorkflowLintCommand, [join(layer, path), '--json']);
    assert.equal(JSON.parse(out), []);
    assert.is(code, 0);
  });

  test(`${path} reaches all of its phases when it is played`, async () => {
    const { code, out } = await run(WorkflowSimulateCommand, [join(layer, path), '--json']);
    assert.is(code, 0, out);
    const { outcome, coverage } = JSON.parse(out);
    assert.is(outcome, 'complete');
    assert.ok(coverage.length > 0);
    assert.ok(coverage.every(({ reached }: { reached: boolean }) => reached));
  });
}

for (const [n, { path, text }] of files.filter((file) => isSetting(file.path)).entries())
  test(`the settings of recipe ${n + 1} are valid`, async () => {
    configure(JSON.parse(text));
    const section = path.split(', ')[1] ?? '';
    const { code, err } = await run(ConfigGetCommand, [section, '--json']);
    assert.is(code, 0, err);
  });

test.run();
