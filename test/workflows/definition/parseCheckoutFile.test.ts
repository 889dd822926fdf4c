import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  listCheckoutScripts,
  parseCheckoutFile,
} from '../../../src/workflows/definition/parseCheckoutFile.ts';

const test = suite('the checkout file of a repository');

const FILE = '.svc/checkout.md';
const parse = (front: string) => parseCheckoutFile(`---\n${front}\n---\nWhy.\n`, FILE);
const codes = (front: string) => parse(front).diagnostics.map(({ code, line }) => [code, line]);

test('it names scripts, a time limit and caches', () => {
  assert.equal(parse('setup: |\n  npm ci\n  npm run build\nsetupMinutes: 5\ncaches: [.npm]').read, {
    setup: 'npm ci\nnpm run build\n',
    setupMinutes: 5,
    caches: ['.npm'],
  });
});

for (const key of ['submodules: [acme/other]', 'lfs: true'])
  test(`it cannot ask for ${key}`, () => {
    assert.is(parse(`setup: npm ci\n${key}`).read, null);
  });

test('it cannot ask for files of a person, and such a file is not used at all', () => {
  const { read, diagnostics } = parse('setup: npm ci\ncopyFiles: [.env.local]');
  assert.is(read, null);
  assert.equal(
    diagnostics.map(({ code, line }) => [code, line]),
    [['unknown-key', 3]],
  );
  assert.match(diagnostics[0]?.message ?? '', /own configuration/);
});

for (const [front, code] of [
  ['setup: 1', 'wrong-type'],
  ['setupMinutes: 0', 'wrong-type'],
  ['caches: ["../other"]', 'wrong-type'],
  ['caches: ["/etc"]', 'wrong-type'],
  ['caches: [".git/hooks"]', 'wrong-type'],
  ['setUp: x', 'unknown-key'],
] as const)
  test(`a finding for ${front}`, () => assert.equal(codes(front), [[code, 2]]));

test('a file without front matter is a finding', () => {
  assert.equal(
    parseCheckoutFile('npm ci\n', FILE).diagnostics.map(({ code }) => code),
    ['empty-front-matter'],
  );
});

test('a person who is asked for trust sees each line of its scripts', () => {
  const text = '---\nsetup: |\n  npm ci\n\n  make\nteardown: rm -rf x\n---\n';
  assert.equal(listCheckoutScripts(text, FILE), [
    'setup: npm ci',
    'setup: make',
    'teardown: rm -rf x',
  ]);
});

test.run();
