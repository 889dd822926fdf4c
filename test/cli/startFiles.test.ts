import {
  lstatSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
  existsSync,
  readdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { selectCompletionScript } from '../../cli/completion/completionScripts.ts';
import { findShellCompletion, removeCompletion } from '../../cli/uninstall/findShellCompletion.ts';

const test = suite<{ dir: string }>('completion in the start files of shells');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-start-files-'));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

const LINES = [
  'source <(svc completion bash)',
  '. <(svc completion zsh)  ',
  'eval "$(svc completion bash)" # svc',
  'svc completion fish | source',
  'SVC_AC_BASH_SETUP_PATH=/home/ana/.svc/commands/cache/autocomplete/bash_setup && test -f $SVC_AC_BASH_SETUP_PATH && source $SVC_AC_BASH_SETUP_PATH; # svc autocomplete setup',
];

const removeCompletions = async (dir: string) => {
  const { files, left } = await findShellCompletion(dir, {});
  const done: boolean[] = [];
  for (const file of files) done.push(await removeCompletion(file));
  return { files, left, done };
};

test('each line that the help gives goes, and every other byte and the mode stay', async ({
  dir,
}) => {
  const file = join(dir, '.bashrc');
  for (const line of LINES) {
    writeFileSync(file, Buffer.from(`a\r\n\xff\x00b\n\n${line}\n# end`, 'latin1'));
    chmodSync(file, 0o640);
    assert.equal(
      await removeCompletions(dir),
      { files: [{ file, lines: [4] }], left: [], done: [true] },
      line,
    );
    assert.equal(readFileSync(file), Buffer.from('a\r\n\xff\x00b\n\n# end', 'latin1'));
    assert.is(statSync(file).mode & 0o777, 0o640);
  }
  assert.equal(readdirSync(dir), ['.bashrc']);
});

test('a line whose removal could break the file stays and is named, comments are not', async ({
  dir,
}) => {
  const file = join(dir, '.zshrc');
  const text =
    'if true; then\nsource <(svc completion zsh)\nfi\n  source <(svc completion zsh)\nx && source <(svc completion zsh)\nalias svc=~/svc/cli/bin/svc\n# svc completion zsh\n';
  writeFileSync(file, text);
  assert.equal(await removeCompletions(dir), {
    files: [],
    left: [2, 4, 5, 6].map((n) => `${file}:${n}`),
    done: [],
  });
  assert.is(readFileSync(file, 'utf8'), text);
});

test('a link stays one, and the file that it leads to is changed', async ({ dir }) => {
  mkdirSync(join(dir, 'dotfiles'));
  writeFileSync(join(dir, 'dotfiles', 'bashrc'), `a\n${LINES[0]}\n`);
  symlinkSync(join('dotfiles', 'bashrc'), join(dir, '.bashrc'));
  assert.equal((await removeCompletions(dir)).done, [true]);
  assert.is(lstatSync(join(dir, '.bashrc')).isSymbolicLink(), true);
  assert.is(readFileSync(join(dir, 'dotfiles', 'bashrc'), 'utf8'), 'a\n');
});

test('a file with two names is left as it is', async ({ dir }) => {
  const file = join(dir, '.bashrc');
  writeFileSync(file, `${LINES[0]}\n`);
  linkSync(file, join(dir, 'other'));
  assert.equal((await removeCompletions(dir)).done, [false]);
  assert.is(readFileSync(file, 'utf8'), `${LINES[0]}\n`);
});

test('a folder, a link to nothing and a link in a cycle are passed over', async ({ dir }) => {
  mkdirSync(join(dir, '.profile'));
  symlinkSync('nowhere', join(dir, '.bashrc'));
  symlinkSync('.zshrc', join(dir, '.zshrc'));
  assert.equal(await findShellCompletion(dir, {}), { files: [], left: [] });
});

test('the completion of fish is a file, which goes if it is as svc wrote it', async ({ dir }) => {
  const file = join(dir, 'fish', 'completions', 'svc.fish');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, selectCompletionScript('fish'));
  const env = { XDG_CONFIG_HOME: dir };
  const { files } = await findShellCompletion(dir, env);
  assert.equal(files, [{ file, lines: null }]);
  for (const one of files) assert.is(await removeCompletion(one), true);
  assert.is(existsSync(file), false);
  writeFileSync(file, '# mine');
  assert.equal(await findShellCompletion(dir, env), { files: [], left: [`${file}:1`] });
});

test('zsh has its files where ZDOTDIR says', async ({ dir }) => {
  mkdirSync(join(dir, 'zsh'));
  const file = join(dir, 'zsh', '.zshrc');
  writeFileSync(file, `${LINES[1]}\n`);
  assert.equal((await findShellCompletion(dir, { ZDOTDIR: join(dir, 'zsh') })).files, [
    { file, lines: [1] },
  ]);
});

test.run();
