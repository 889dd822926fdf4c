import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../src/base/errors/errors.ts';
import { checkBranch, checkSlug, suggestBranch } from '../../src/git/gitNames.ts';

const test = suite('scm names');

/** The message of the refusal, or null for a name that passes. */
const refusal = (check: () => string): string | null => {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof SvcError && error.code === 'bad-argument') return error.message;
    throw error;
  }
};

test('names of repositories that are fine come back as they are', () => {
  for (const slug of ['shop', 'acme/shop', 'a.b_c-d', '9lives', 'one/two/three', 'x'.repeat(200)])
    assert.is(checkSlug(slug), slug);
});

test('names of repositories that could be an option, leave a folder or hide in one are refused with the rule', () => {
  const refused: [slug: string, rule: string][] = [
    ['', 'it is empty'],
    ['x'.repeat(201), 'it is longer than 200 characters'],
    ['..', 'it holds ".."'],
    ['acme/../etc', 'it holds ".."'],
    ['a..b', 'it holds ".."'],
    ['/etc', 'it begins or ends with a slash or contains two in a row'],
    ['acme/', 'it begins or ends with a slash or contains two in a row'],
    ['acme//shop', 'it begins or ends with a slash or contains two in a row'],
    ['--upload-pack=touch x', 'every part must begin with a letter or a digit'],
    ['acme/-x', 'every part must begin with a letter or a digit'],
    ['.git', 'every part must begin with a letter or a digit'],
    ['_intelligence', 'every part must begin with a letter or a digit'],
    ['a b', 'only A-Z, a-z, 0-9, ".", "_", "-" and "/" are allowed in it'],
    ['a\nb', 'only A-Z, a-z, 0-9, ".", "_", "-" and "/" are allowed in it'],
    ['a\\b', 'only A-Z, a-z, 0-9, ".", "_", "-" and "/" are allowed in it'],
    ['a\0b', 'only A-Z, a-z, 0-9, ".", "_", "-" and "/" are allowed in it'],
    ['shop.git', 'no part ends with ".git" or ".lock"'],
    ['shop.', 'no part ends with "."'],
  ];
  for (const [slug, rule] of refused) {
    assert.is(
      refusal(() => checkSlug(slug)),
      `repo ${JSON.stringify(slug)} is not allowed: ${rule}.`,
    );
  }
});

test('branch names that git takes come back as they are', () => {
  for (const branch of [
    'main',
    'feature/login',
    'fix-#12',
    'ünïcode',
    'a@b',
    'v1.2',
    'x/HEAD',
    "it's",
    '100%',
  ]) {
    assert.is(checkBranch(branch), branch);
  }
});

test('branch names that git refuses or reads as something else are refused with the rule and the field', () => {
  const refused: [branch: string, rule: string][] = [
    ['', 'it is empty'],
    ['x'.repeat(201), 'it is longer than 200 characters'],
    ['--x', 'it begins with "-"'],
    ['-f', 'it begins with "-"'],
    ['a b', 'it contains a space or a control character'],
    ['a\nb', 'it contains a space or a control character'],
    ['a\u007f', 'it contains a space or a control character'],
    ['a~1', 'it contains one of ~ ^ : ? * [ \\'],
    ['a^', 'it contains one of ~ ^ : ? * [ \\'],
    ['a:b', 'it contains one of ~ ^ : ? * [ \\'],
    ['a*', 'it contains one of ~ ^ : ? * [ \\'],
    ['a\\b', 'it contains one of ~ ^ : ? * [ \\'],
    ['a..b', 'it holds ".."'],
    ['a@{1}', 'it holds "@{"'],
    ['@', 'the name has another meaning in git'],
    ['HEAD', 'the name has another meaning in git'],
    ['refs/heads/main', 'give the name without "refs/heads/"'],
    ['/a', 'it begins or ends with a slash or contains two in a row'],
    ['a/', 'it begins or ends with a slash or contains two in a row'],
    ['a//b', 'it begins or ends with a slash or contains two in a row'],
    ['a.', 'it ends with "."'],
    ['.a', 'a part begins with "."'],
    ['a/.b', 'a part begins with "."'],
    ['a.lock', 'a part ends with ".lock"'],
    ['a.lock/b', 'a part ends with ".lock"'],
    ['a\ud800', 'it is not well-formed text'],
    ['ü'.repeat(126), 'a part is longer than 250 bytes, and git keeps it as the name of a file'],
    ['a'.repeat(40), 'it looks like the id of a commit'],
  ];
  for (const [branch, rule] of refused) {
    const suggestion = suggestBranch(branch);
    assert.is(
      refusal(() => checkBranch(branch, 'head')),
      `head ${JSON.stringify(branch.slice(0, 201))} is not allowed: ${rule}.${suggestion === null ? '' : ` Try ${suggestion}.`}`,
    );
  }
});

test('a name that git takes is suggested for one that it refuses', () => {
  for (const [branch, suggestion] of [
    ['a b', 'a-b'],
    ['refs/heads/fix', 'fix'],
    ['fix.lock', 'fix'],
    ['feat//x.', 'feat/x'],
    ['a@{1}', 'a-1'],
    ['--force', 'force'],
    ['+main', 'main'],
    ['ümläut ~1', 'ümläut-1'],
    ['x'.repeat(300), 'x'.repeat(60)],
    ['', null],
    ['@', null],
  ] as const) {
    assert.is(suggestBranch(branch), suggestion);
    if (suggestion !== null) assert.is(checkBranch(suggestion), suggestion);
  }
});

test.run();
