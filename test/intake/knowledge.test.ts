import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Forge } from '../../src/contract/forge/forge.ts';
import type { JobTracker } from '../../src/contract/forge/tracker.ts';
import { createKnowledge } from '../../src/intake/knowledge.ts';
import type { CitationScope } from '../../src/intake/intakeParts.ts';
import { createForges } from '../../src/providers/forges.ts';
import { createTrackers } from '../../src/providers/trackers.ts';
import { type GitRepository, makeGitRepository } from '../support/gitRepository.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('what chats know of repositories and models');

const FILES = { 'src/a.ts': 'one\ntwo\nthree\n', 'README.md': '# Shop\n' };

interface Stage {
  repo: GitRepository;
  pin: { slug: string; forge: string; ref: string; commit: string };
  known: ReturnType<typeof createKnowledge>;
  /** Whether the forge was asked for what is new. */
  fresh: boolean[];
}

/** A repository `shop` of a forge, and the settings of executors. */
const on =
  (run: (stage: Stage) => Promise<void>, plugins: Record<string, Record<string, unknown>> = {}) =>
  async () => {
    const repo = makeGitRepository({ bare: true, files: FILES });
    const fresh: boolean[] = [];
    const forge: Partial<Forge> = {
      id: 'local',
      serves: (slug) => slug === 'shop',
      repos: async () => [{ slug: 'shop', path: repo.path, defaultBranch: 'main' }],
      async source(slug, options) {
        fresh.push(options.fresh);
        return slug === 'shop' ? { slug, path: repo.path, defaultBranch: 'main' } : null;
      },
    };
    const known = createKnowledge({
      settings: {
        plugins: Object.fromEntries(
          Object.entries(plugins).map(([id, config]) => [id, { enabled: true, config }]),
        ),
      },
      forges: createForges([forge as Forge]),
      trackers: createTrackers(() => [tracker as JobTracker]),
      overlay: async () => ({
        agent: (path) => ({ body: `\nThe body of ${path}.\n` }),
        workflows: () => ({ workflows: [], broken: [] }),
      }),
      screen: (text) => text,
    });
    const pin = { slug: 'shop', forge: 'local', ref: 'main', commit: repo.head() };
    try {
      await run({ repo, pin, known, fresh });
    } finally {
      repo.remove();
    }
  };

const tracker: Partial<JobTracker> = { id: 'jira', serves: () => true };

const scope = (
  pins: CitationScope['pins'],
  seenPlaces: ReturnType<CitationScope['listSeen']> = [],
) => ({
  sessionId: 'chat-1',
  pins,
  isNamed: () => false,
  onPinned: async () => undefined,
  listSeen: () => seenPlaces,
});
const llm = (provider: string) => ({ provider, model: null, reasoningEffort: null });

test(
  'the system prompt is the agent of the overlay, without blank lines around it',
  on(async ({ known }) => {
    assert.is(await known.systemPrompt(), 'The body of agents/intake.md.');
  }),
);

test(
  'a chat has the six look-ups, and nothing that writes (PLN-3)',
  on(async ({ known, pin }) => {
    assert.equal(
      known
        .lookups(scope([pin]))
        .map(({ name }) => name)
        .toSorted(),
      [
        'scm_list_files',
        'scm_read_file',
        'scm_search_code',
        'tracker_get_comments',
        'tracker_get_issue',
        'tracker_search_issues',
      ],
    );
  }),
);

test(
  'places are judged at the pinned commit',
  on(async ({ known, pin }) => {
    const lines = { path: 'src/a.ts', fromLine: 1, toLine: 2, evidence: 'E1' };
    const refs = ['src/a.ts:2', 'src/a.ts:3', 'src/a.ts:4', 'src/b.ts:1', 'NEW:src/c.ts'];
    const citations = await known.citations(scope([pin], [lines]), refs);
    assert.equal(
      citations.map(({ ref, verdict }) => [ref, verdict]),
      [
        ['src/a.ts:2', 'seen'],
        ['src/a.ts:3', 'exists'],
        ['src/a.ts:4', 'missing'],
        ['src/b.ts:1', 'missing'],
        ['NEW:src/c.ts', 'new'],
      ],
    );
  }),
);

test(
  'lines that the newest commit has changed have moved',
  on(async ({ known, pin, repo }) => {
    repo.commit({ 'src/a.ts': 'one\nzwei\nthree\n' });
    const [citation] = await known.citations(scope([pin]), ['src/a.ts:2']);
    assert.is(citation?.verdict, 'moved');
  }),
);

test(
  'what is no place is left out',
  on(async ({ known, pin }) => {
    assert.equal(await known.citations(scope([pin]), ['a word']), []);
  }),
);

test(
  'how far a branch has gone is read from the disk, without asking the forge for what is new',
  on(async ({ known, pin, repo, fresh }) => {
    repo.commit({ 'src/a.ts': '1\n' });
    assert.equal(await known.drift(pin, ['src/a.ts', 'README.md']), {
      repo: 'shop',
      ref: 'main',
      commit: pin.commit,
      behind: 1,
      changed: ['src/a.ts'],
    });
    assert.equal(fresh, [false]);
  }),
);

test(
  'the newest commit is asked of the forge',
  on(async ({ known, pin, repo, fresh }) => {
    const commit = repo.commit({ 'src/a.ts': '1\n' });
    assert.equal(await known.newest(pin), { ...pin, commit });
    assert.equal(fresh, [true]);
  }),
);

test(
  'lines of a file are those of the pinned commit',
  on(async ({ known, pin, repo }) => {
    repo.commit({ 'src/a.ts': 'changed\n' });
    assert.equal(await known.fileLines([pin], { path: 'src/a.ts', from: 2, to: 9 }), {
      repo: 'shop',
      commit: pin.commit,
      path: 'src/a.ts',
      fromLine: 2,
      toLine: 3,
      lines: 3,
      text: 'two\nthree',
    });
  }),
);

test(
  'a repository that the chat has not looked at shows no file',
  on(async ({ known, pin }) => {
    const query = { repo: 'other', path: 'src/a.ts' };
    const { code, message } = await catchRefusal(() => known.fileLines([pin], query));
    assert.is(code, 'not-found');
    assert.is(message, 'This conversation has not looked at other.');
  }),
);

test(
  'a file that does not exist at the commit is not found',
  on(async ({ known, pin }) => {
    const { code } = await catchRefusal(() => known.fileLines([pin], { path: 'src/gone.ts' }));
    assert.is(code, 'not-found');
  }),
);

test(
  'a repository that the forge no longer has is not found',
  on(async ({ known, pin }) => {
    const { code } = await catchRefusal(() => known.drift({ ...pin, slug: 'gone' }, []));
    assert.is(code, 'not-found');
  }),
);

test(
  'the window of a model is that of its executor, else 200,000 tokens',
  on(
    async ({ known }) => {
      assert.is(known.readContextWindow(llm('builtin')), 32_000);
      assert.is(known.readContextWindow(llm('other')), 200_000);
    },
    { builtin: { contextWindow: 32_000 } },
  ),
);

test.run();
