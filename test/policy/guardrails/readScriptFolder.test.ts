import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readScriptFolder } from '../../../src/policy/guardrails/readScriptFolder.ts';
import { readScriptRules } from '../../../src/policy/guardrails/readScriptRules.ts';
import { guardrailStage } from './stage.ts';
import { createSubject } from './subjects.ts';

const AT = { visit: 1, session: 1 };
const WHEN = '{"when": ["tool.before"]}';

/** A folder of these files; those with `!` are executable. */
function writeScriptFolder(...names: string[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'guardrails-'));
  for (const name of names)
    writeFileSync(join(dir, name.replace('!', '')), WHEN, {
      mode: name.endsWith('!') ? 0o700 : 0o600,
    });
  return dir;
}

const loadRuleIds = async (...names: string[]): Promise<string[]> => [
  ...(await readScriptFolder(writeScriptFolder(...names))).scripts.keys(),
];

test('notes and what editors leave are no scripts (CFG-4)', async () => {
  const names = ['notes.txt', 'README.md!', 'mine.sh~', '.mine.sh.swp', '#mine.sh#', 'a.bak!'];
  assert.equal(await loadRuleIds(...names), []);
});

test('an ending that svc knows, or the permission, makes a script (CFG-4)', async () => {
  assert.equal(await loadRuleIds('a.sh', 'b.js', 'c.py!', 'd!', 'e.py', 'f'), ['a', 'b', 'c', 'd']);
});

test('a described program that is not executable refuses instead of lapsing (CFG-4)', async () => {
  assert.equal(await loadRuleIds('a.py', 'a.json'), ['a']);
});

test('a note beside a script is not a second one (CFG-4)', async () => {
  const { scripts } = await readScriptFolder(writeScriptFolder('a.sh', 'a.json', 'a.log'));
  assert.equal(scripts.get('a'), ['a.sh']);
});

test('a folder is no script (CFG-4)', async () => {
  const dir = writeScriptFolder();
  mkdirSync(join(dir, 'shared'));
  assert.is((await readScriptFolder(dir)).scripts.size, 0);
});

test('a script whose name is no id is named with what to do (CFG-4)', async () => {
  const { ignored } = await readScriptFolder(writeScriptFolder('My_Rule.sh', 'My_Rule.json'));
  assert.match(ignored.join(), /^My_Rule\.sh is not asked: .* rename it/);
});

test('a description without a script is named (CFG-4)', async () => {
  assert.equal((await readScriptFolder(writeScriptFolder('a.json'))).ignored, [
    'a.json describes no script',
  ]);
});

test('two scripts of one name refuse, and both paths are said (CFG-4)', async () => {
  const dir = writeScriptFolder('a.sh', 'a.js', 'a.json');
  const { rules } = await readScriptRules(dir, process.getuid?.());
  assert.is(
    rules.map(({ problem }) => problem).join(),
    `${join(dir, 'a.js')} and ${join(dir, 'a.sh')} are both its script; keep one, or rename one`,
  );
});

test('a folder that cannot be read refuses everything (CFG-4)', async () => {
  const dir = join(writeScriptFolder('file'), 'file');
  const { rules } = await readScriptRules(dir, process.getuid?.());
  assert.match(rules.map(({ problem }) => problem).join(), /cannot be read \(ENOTDIR/);
});

test('a script with the name of a rule of svc refuses (CFG-4)', async () => {
  const stage = await guardrailStage();
  stage.script('large-diff.sh', 'exit 0', { when: ['tool.before'] });
  const { message } = await stage.guardrails.check(createSubject(), AT);
  assert.match(message, /large-diff\.sh has the name of a rule of svc; rename it/);
});

test('the log names what is no rule, once (CFG-4)', async () => {
  const stage = await guardrailStage();
  stage.script('My_Rule.sh', 'exit 0', { when: ['tool.before'] });
  await stage.guardrails.rules();
  await stage.guardrails.rules();
  assert.is(stage.lines.length, 1);
});

test.run();
