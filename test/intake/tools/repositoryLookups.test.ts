import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Forge, ForgeRepo } from '../../../src/contract/forge/forge.ts';
import { createForges } from '../../../src/providers/forges.ts';
import { type Pin, Pins } from '../../../src/intake/tools/pins.ts';
import { createRepositoryLookups } from '../../../src/intake/tools/repositoryLookups.ts';
import { type GitRepository, makeGitRepository } from '../../support/gitRepository.ts';

const test = suite('look-ups in repositories');

interface Stage {
  repo: GitRepository;
  pinned: Pin[];
  find(name: string, args: Record<string, unknown>): ReturnType<Run>;
  again(): Stage['find'];
}
type Run = ReturnType<typeof createRepositoryLookups>[number]['find'];

/** The part of a forge that look-ups use, over real repositories. */
function forgeWith(repos: Record<string, GitRepository>, hidden: readonly string[]): Forge {
  const of = (slug: string): ForgeRepo | null => {
    const repo = repos[slug];
    return repo ? { slug, path: repo.path, defaultBranch: 'main' } : null;
  };
  const forge: Partial<Forge> = {
    id: 'local',
    serves: (slug) => slug in repos,
    repos: async () =>
      Object.keys(repos).flatMap((slug) => (hidden.includes(slug) ? [] : (of(slug) ?? []))),
    source: async (slug) => of(slug),
  };
  return forge as Forge;
}

async function onStage(run: (stage: Stage) => Promise<void>): Promise<void> {
  const repo = makeGitRepository({
    bare: true,
    files: {
      'src/a.ts': Array.from({ length: 1_500 }, (_, n) => `const a${n + 1} = ${n + 1};`).join('\n'),
      'picture.png': 'a\0b',
      'docs/read.md': 'Read me.\n',
    },
  });
  const other = makeGitRepository({ bare: true });
  const forges = createForges([
    forgeWith({ 'acme/shop': repo, 'secret/other': other }, ['secret/other']),
  ]);
  const pinned: Pin[] = [];
  const finder = (slugs: readonly string[]) => {
    const pins = new Pins({
      forges,
      isNamed: (slug) => slugs.includes(slug),
      known: [...pinned],
      onPinned: async (pin) => void pinned.push(pin),
    });
    const lookups = createRepositoryLookups({ pins, caller: { jobId: 'chat', phase: 'plan' } });
    return async (name: string, args: Record<string, unknown>) => {
      const lookup = lookups.find((one) => one.name === name);
      if (!lookup) throw new Error(`There is no look-up ${name}.`);
      return lookup.find(args, new AbortController().signal);
    };
  };
  try {
    await run({ repo, pinned, find: finder([]), again: () => finder(['secret/other']) });
  } finally {
    repo.remove();
    other.remove();
  }
}

const refusal = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no refusal',
    (error: Error) => error.message,
  );

test('a file is answered with the numbers of its lines', () =>
  onStage(async ({ find }) => {
    const { text } = await find('scm_read_file', { path: 'docs/read.md' });
    assert.is(text, '1\tRead me.');
  }));

test('a piece of a file says which lines it has', () =>
  onStage(async ({ find }) => {
    const { text } = await find('scm_read_file', { path: 'src/a.ts', from: 2, to: 3 });
    assert.match(text, '[lines 2 to 3 of 1500]');
  }));

test('one look shows at most 1,000 lines', () =>
  onStage(async ({ find }) => {
    const { toLine } = await find('scm_read_file', { path: 'src/a.ts' });
    assert.is(toLine, 1_000);
  }));

test('lines behind the first 1,000 can be read', () =>
  onStage(async ({ find }) => {
    const { text } = await find('scm_read_file', { path: 'src/a.ts', from: 1_400, to: 1_400 });
    assert.match(text, 'const a1400 = 1400;');
  }));

test('a first line behind the end is refused with the length', () =>
  onStage(async ({ find }) => {
    const message = await refusal(find('scm_read_file', { path: 'src/a.ts', from: 1_501 }));
    assert.is(message, 'The file has 1500 lines; "from" is 1501.');
  }));

test('what is no text is refused', () =>
  onStage(async ({ find }) => {
    const message = await refusal(find('scm_read_file', { path: 'picture.png' }));
    assert.is(message, 'picture.png is not text.');
  }));

test('a path is never a pattern or an option of git', () =>
  onStage(async ({ find }) => {
    for (const path of [':(top)src/a.ts', 'src/*.ts', '--help'])
      assert.match(await refusal(find('scm_read_file', { path })), `has no file ${path}`);
  }));

for (const path of ['../etc/passwd', 'a/../../b', '"..\\057x"', 'a\nb'])
  test(`a path that leaves the repository is refused: ${JSON.stringify(path)}`, () =>
    onStage(async ({ find }) => {
      assert.match(await refusal(find('scm_read_file', { path })), 'is not allowed');
    }));

test('a search answers places', () =>
  onStage(async ({ find }) => {
    const { text } = await find('scm_search_code', { text: 'a77 =' });
    assert.is(text, 'src/a.ts:77: const a77 = 77;');
  }));

test('a list answers paths', () =>
  onStage(async ({ find }) => {
    const { text } = await find('scm_list_files', { path: 'docs' });
    assert.is(text, 'docs/read.md');
  }));

test('the commit is that of the first look', () =>
  onStage(async ({ find, repo }) => {
    const first = await find('scm_list_files', {});
    repo.commit({ 'docs/later.md': 'Later.\n' });
    const second = await find('scm_list_files', {});
    assert.is(second.commit, first.commit);
  }));

test('a later turn looks at the same commit', () =>
  onStage(async ({ find, again, repo, pinned }) => {
    await find('scm_list_files', {});
    repo.commit({ 'docs/later.md': 'Later.\n' });
    const { commit } = await again()('scm_list_files', {});
    assert.is(commit, pinned[0]?.commit);
  }));

test('a repository that no one named is not read', () =>
  onStage(async ({ find }) => {
    const message = await refusal(find('scm_list_files', { repo: 'secret/other' }));
    assert.match(message, 'the developer has not named it');
  }));

test('one that the developer has named is', () =>
  onStage(async ({ again }) => {
    const { repo } = await again()('scm_list_files', { repo: 'secret/other' });
    assert.is(repo, 'secret/other');
  }));

test('a search is one line: several would be several searches', () =>
  onStage(async ({ find }) => {
    const refusal = await find('scm_search_code', { text: 'Read\nconst' }).then(
      () => '',
      (error) => error.message,
    );
    assert.match(refusal, 'must be one line');
  }));

test.run();
