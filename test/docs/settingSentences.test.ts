import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../scripts/checks/projectFiles.ts';
import { markdownFiles, withoutFences } from '../../scripts/docs/markdownFiles.ts';
import { buildConfigJsonSchema } from '../../src/host/config/configSchema.ts';
import { isLive, NEEDS_NO_RESTART } from '../../src/host/config/settings/liveSettings.ts';

const test = suite('documents: sentences about settings');

const sections = Object.keys(Object(buildConfigJsonSchema().properties));
/** Whether a word in backticks is a key of the configuration, or a section of it. */
const isKey = (word: string): boolean =>
  sections.includes(word.split('.')[0] ?? '') && /^[a-zA-Z.<>]+$/.test(word);
const isLiveHere = (key: string): boolean =>
  isLive(key) || NEEDS_NO_RESTART.includes(key) || key === 'forges' || key === 'plugins';

/** Guides, concepts and operations: what describes this version. */
const pages = [...markdownFiles()].filter((file) =>
  /^(README\.md|docs\/(guides|concepts|operations)\/.*|docs\/start\.md)$/.test(file),
);

/** Sentences with the keys of the configuration in them. */
const sentences = pages.flatMap((file) =>
  withoutFences(read(file))
    .replace(/\s+/g, ' ')
    .split(/(?<=[.;:|]) /)
    .map((text) => ({
      file,
      text,
      keys: [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word).filter(isKey),
    }))
    .filter(({ keys }) => keys.length > 0),
);

const findSentences = (pattern: RegExp, isWrong: (key: string) => boolean): string[] =>
  sentences
    .filter(({ text, keys }) => pattern.test(text) && keys.some(isWrong))
    .map(({ file, text }) => `${file}: ${text}`);

const NEXT_START =
  /needs? a restart|takes? effect (?:with|after) `?svc restart|takes? effect at the next start|(?:counts|count) from the next start|reads? \S+ when it starts/;
const AT_ONCE = /takes? effect at once|without a restart|\*Live\*/;
const UNUSED = /no effect yet|does not act on|is not used yet|not implemented yet/;

test('a setting that is said to need a restart is not live in the reference', () => {
  assert.equal(findSentences(NEXT_START, isLiveHere), []);
});

test('a setting that is said to take effect at once is live in the reference', () => {
  assert.equal(
    findSentences(AT_ONCE, (key) => !isLiveHere(key)),
    [],
  );
});

test('no setting is said to have no effect', () => {
  assert.equal(
    findSentences(UNUSED, () => true),
    [],
  );
});

test('the lists of configure.md are those of the reference', () => {
  const page = read('docs/guides/configure.md').replace(/\s+/g, ' ');
  const [, restart = ''] = /A change of (.*?) takes effect with `svc restart`/.exec(page) ?? [];
  const keys = [...restart.matchAll(/`(\w+)`/g)].map(([, key = '']) => key).sort();
  const needing = sections.filter(
    (key) =>
      !isLiveHere(key) &&
      !['settings', 'deploymentMode'].includes(key) &&
      !sections.some((section) => isLive(section) && section === key),
  );
  assert.equal(keys, needing.sort());
});

test('the patterns find what they are for', () => {
  assert.match('A change of `triggers` needs a restart.', NEXT_START);
  assert.match('The runner reads rules when it starts.', NEXT_START);
  assert.match('`proposals` and `setup` have no effect yet.', UNUSED);
  assert.ok(sentences.length > 50, `only ${sentences.length} sentences name a setting`);
});

test.run();
