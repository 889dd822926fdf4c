import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../scripts/checks/projectFiles.ts';
import { listFences, markdownFiles, withoutFences } from '../../scripts/docs/markdownFiles.ts';
import { svcProblems } from '../../scripts/docs/svcUses.ts';
import { MANIFEST_FILE } from '../../scripts/oclifManifest.ts';

const test = suite('documents: commands that they name');

const SHELL = ['sh', 'bash', 'console', 'shell', ''];
/** The history names commands of earlier versions. */
const files = markdownFiles().filter((file) => file !== 'CHANGELOG.md');

test('every command in a block exists and has the flags that it is given', () => {
  const problems = files.flatMap((file) =>
    listFences(read(file))
      .filter(({ language }) => SHELL.includes(language))
      .flatMap(({ line, text }) =>
        svcProblems(text).map((problem) => `${file}:${line}: ${problem}`),
      ),
  );
  assert.equal(problems, []);
});

test('every command in the text exists and has the flags that it is given', () => {
  const problems = files.flatMap((file) =>
    [...withoutFences(read(file)).matchAll(/`(svc [^`]*)`/g)].flatMap(([, span = '']) =>
      svcProblems(span).map((problem) => `${file}: ${span}: ${problem}`),
    ),
  );
  assert.equal(problems, []);
});

test('the examples in the help of every command can be typed verbatim', () => {
  const { commands }: { commands: Record<string, { examples?: string[] }> } = JSON.parse(
    readFileSync(MANIFEST_FILE, 'utf8'),
  );
  const examples = Object.values(commands).flatMap((command) => command.examples ?? []);
  assert.ok(examples.length > 20, `only ${examples.length} examples found`);
  assert.equal(
    examples.flatMap((one) => svcProblems(one.replaceAll('<%= config.bin %>', 'svc'))),
    [],
  );
});

test('an unknown command and an unknown flag are found', () => {
  assert.equal(svcProblems('svc jobs --json && svc jobz'), ['there is no command svc jobz']);
  assert.equal(svcProblems('svc jobs --jsn'), ['svc jobs has no flag --jsn']);
});

test('words in quotes and comments are not flags', () => {
  assert.equal(svcProblems("svc job --repo shop --description '--not-one' # --nor-this"), []);
});

test.run();
