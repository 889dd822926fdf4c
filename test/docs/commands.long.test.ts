import { existsSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type CommandBlock,
  commandBlocks,
  listStatements,
} from '../../scripts/docs/commandBlocks.ts';
import { DocStage } from '../support/docs/docStage.ts';
import { readPageFiles } from '../support/docs/readRecipeFiles.ts';
import { RUN_BY_COMMAND_TESTS, RUN_ELSEWHERE } from './commandTable.ts';

const test = suite('documents: every command is run, or says why not');

const blocks = commandBlocks();
const pages = [...new Set(blocks.map(({ file }) => file))];

/**
 * A page that starts a runner is played from its first command to its last, on a home of its own.
 */
const startsRunner = (page: string): boolean =>
  blocks.some(
    ({ file, notRun, statements }) =>
      file === page && notRun === null && statements.some(({ text }) => /^svc start\b/.test(text)),
  );

/** Whether the tests of the file drive the built program. */
const startsProgram = (file: string): boolean =>
  file.startsWith('test/stories/') || file.startsWith('test/cloud/takeover/');

const beginsWith = (part: string, command: string): boolean =>
  part === command || (part.startsWith(command) && !/^[a-z-]/.test(part.slice(command.length)));

/** Whether every part of the command is run by another test or step. */
function isRunElsewhere(text: string, ownRunner: boolean): boolean {
  const known = ownRunner ? RUN_ELSEWHERE : [...RUN_ELSEWHERE, ...RUN_BY_COMMAND_TESTS];
  const parts = text.replace(/(^|\s)#.*$/gm, '').split('&&');
  return parts.every((part) => known.some(([command]) => beginsWith(part.trim(), command)));
}

/**
 * The commands of a page that are run here; each is announced, so that the one that fails is known.
 */
function buildPageScript(page: string): string {
  const ownRunner = startsRunner(page);
  const run = blocks
    .filter(({ file, notRun }) => file === page && notRun === null)
    .flatMap(({ statements }) => statements)
    .filter(({ text }) => !isRunElsewhere(text, ownRunner));
  return run.map(({ text, line }) => `echo "@line ${line}" >&2\n${text}\n`).join('');
}

const ADVICE = `Do one of these:
- correct the command;
- put <!-- not run: reason --> on the line above the block, if it needs what a test cannot have;
- name the command in test/docs/commandTable.ts, with the test that runs it;
- give it what it needs in test/support/docs/docStage.ts. There: $job, a job that waits for an approval;
  the folders team and shop; a runner. A page with an unmarked "svc start" is run as a whole instead.`;

test('every marker gives a reason', () => {
  const empty = blocks.filter(({ notRun }) => notRun === '');
  assert.equal(
    empty.map(({ file, line }: CommandBlock) => `${file}:${line}: write why it is not run`),
    [],
  );
});

test('every command that is run elsewhere names a file that does it', () => {
  for (const [command, by] of RUN_ELSEWHERE)
    assert.ok(existsSync(by), `${command}: ${by} does not exist`);
  for (const [command, by] of RUN_BY_COMMAND_TESTS) {
    const words = command.split(' ').slice(1);
    const module = `cli/commands/${words.join('/')}`;
    const source = readFileSync(by, 'utf8');
    const isImported = source.includes(`${module}.ts`) || source.includes(`${module}/index.ts`);
    // A story gives the words to the built program instead.
    const isGiven =
      startsProgram(by) && source.includes(words.map((word) => `'${word}'`).join(', '));
    assert.ok(isImported || isGiven, `${by} does not run ${command}`);
  }
});

test('every other command of the documents succeeds as it is written', async () => {
  assert.ok(existsSync('dist/cli/start.js'), 'svc is not built: run npm run build -- --no-ui');
  assert.ok(blocks.length > 10, `only ${blocks.length} blocks of commands found`);
  await using stage = new DocStage();
  await stage.start();
  const problems: string[] = [];
  for (const page of pages) {
    const script = buildPageScript(page);
    if (script === '') continue;
    const files = readPageFiles(page).filter(({ path }) => path.endsWith('.md'));
    const { code, said } = await stage.run(script, startsRunner(page), files);
    if (code === 0) continue;
    const line = [...said.matchAll(/^@line (\d+)$/gm)].at(-1)?.[1] ?? '1';
    const excerpt = said.slice(said.lastIndexOf('@line')).split('\n').slice(1, 12).join('\n');
    problems.push(`${page}:${line}: the command ends with exit code ${code}:\n${excerpt}`);
  }
  assert.is(problems.join('\n'), '', `${problems.join('\n')}\n\n${ADVICE}`);
});

test('a block is split into commands: lines, continued lines, here-documents', () => {
  const text = "# first\na \\\n  b\ncat > x <<'END'\nc\nEND\n\nd";
  assert.equal(
    listStatements(text, 5).map(({ line }) => line),
    [6, 8, 12],
  );
});

test('in a console block only the lines after the prompt are commands', () => {
  assert.equal(
    listStatements('$ svc jobs\nID  STATUS\n', 1, true).map(({ text }) => text),
    ['svc jobs'],
  );
});

test.run();
