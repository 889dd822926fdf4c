import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { longLane } from '../support/longLane.ts';
import { story } from '../support/story.ts';
import { COMMON_SHAPES, RARE_SHAPES, type WildShape } from '../support/wild/shapes.ts';
import { WildPerson, WildRepository } from '../support/wild/wildRepository.ts';

const test = suite('stories: repositories as they are in the wild');
const long = longLane(test);

/** Jobs at work at the same time. */
const AT_ONCE = 4;

const WORKFLOW = `
initial_phase: implement
initial_status: coding
phases:
  - { name: implement, agent: agents/coder.md, status: coding }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
  - { name: closing, agent: agents/closer.md, status: reporting }
`;

/** Does what the shape asks for beside the repository, commits, and opens a pull request. */
const CODER = `
import { dirname } from 'node:path';
const beside = dirname(git('remote', 'get-url', 'origin'));
git('switch', '-q', '-c', 'change');
writeFileSync('svc.txt', 'svc\\n');
execFileSync('sh', [beside + '/agent.sh'], { stdio: 'pipe' });
git('add', '--all');
git('commit', '-q', '-m', 'change');
const pr = tool('local_create_pr', { head: 'change', title: 'A change' });
tool('await_event', { prId: pr.prId });
`;

/** Its filter is found by its results alone: whole files are in capitals. */
const FILTER = '[filter "upper"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n\trequired = true\n';

interface Made {
  slug: string;
  shape: WildShape;
  one: WildRepository;
}

function makeAll(dir: string, shapes: readonly WildShape[]): Made[] {
  const person = new WildPerson(join(dir, 'home'), FILTER);
  return shapes.map((shape, at) => {
    const place = join(dir, `r${at}`);
    mkdirSync(place);
    const one = new WildRepository(person, place);
    shape.make(one);
    writeFileSync(join(dirname(one.path), 'agent.sh'), `set -e\n${shape.agent ?? ''}\n`);
    return { slug: `r${at}`, shape, one };
  });
}

/** One runner, a job on each repository: pull request, a base that moves, a merge by a person. */
const jobOnEach = (shapes: readonly WildShape[]) => async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-wild-'));
  const made = makeAll(dir, shapes);
  const repos = Object.fromEntries(
    made.map(({ slug, one }) => [slug, { path: one.path, defaultBranch: one.branch }]),
  );
  const home = process.env.HOME;
  process.env.HOME = join(dir, 'home');
  const failures: string[] = [];
  try {
    await story(
      {
        workflow: WORKFLOW,
        programs: { coder: CODER, closer: '' },
        config: { forges: { local: { repos } }, runner: { maxConcurrentJobs: AT_ONCE } },
      },
      async (it) => {
        const play = async ({ slug, shape, one }: Made): Promise<void> => {
          const job = await it.job({ repoSlug: slug });
          const opened = await it.until(job, ({ parked, ended }) => ended || parked !== null);
          assert.is(opened.parked?.kind, 'event', JSON.stringify(opened.parked ?? opened.status));
          one.move();
          shape.meanwhile?.(one);
          const before = one.status();
          const expected = one.mergedByGit('change');
          await it.client.mergePullRequest(slug, 1, { author: 'ann' });
          const done = await it.until(job, ({ ended }) => ended);
          assert.is(done.status, 'complete');
          assert.is(one.treeOf(one.branch), expected, 'git merges something else');
          assert.is(one.status(), before, 'the working tree has changed');
          one.git('fsck', '--no-dangling', '--no-progress');
          assert.not.ok(existsSync(join(one.dir, 'ran')), 'something was run');
          if (one.tree !== null)
            assert.is(readFileSync(join(one.tree, 'svc.txt'), 'utf8').trim(), 'svc');
        };
        const left = [...made];
        const work = async (): Promise<void> => {
          for (let next = left.shift(); next; next = left.shift()) {
            const { shape, slug } = next;
            await play(next).catch((error: unknown) => {
              failures.push(
                `${shape.name} (${slug}): ${error instanceof Error ? error.message : error}`,
              );
            });
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
      },
    )();
  } finally {
    process.env.HOME = home;
    rmSync(dir, { recursive: true, force: true });
  }
  assert.equal(failures, []);
};

test('a repository that no job could use is refused before the job exists, with what to do; svc doctor says the same', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-wild-'));
  const person = new WildPerson(join(dir, 'home'));
  const origin = new WildRepository(person, dir);
  origin.commit('first', { 'a.txt': 'a\n' });
  origin.commit('second', { 'a.txt': 'b\n' });
  origin.git('config', 'uploadpack.allowFilter', 'true');
  const partial = join(dir, 'partial');
  person.git(dir, 'clone', '--quiet', '--filter=blob:none', `file://${origin.path}`, partial);
  const empty = join(dir, 'empty');
  person.git(dir, 'init', '--quiet', empty);
  const repos = {
    partial: { path: partial },
    empty: { path: empty },
    sub: { path: join(origin.path, 'sub') },
  };
  mkdirSync(join(origin.path, 'sub'));
  const ways = [
    ['partial', `git -C '${partial}' fetch --refetch --no-filter`],
    ['empty', `git -C '${empty}' commit --allow-empty`],
    [
      'sub',
      `is not a git repository, but a folder of the repository ${origin.path}: name that one`,
    ],
  ] as const;
  await story(
    {
      workflow: WORKFLOW,
      programs: { coder: '', closer: '' },
      config: { forges: { local: { repos } } },
    },
    async (it) => {
      const doctor = await it.runner
        .command('doctor')
        .catch((error: { stdout: string }) => error.stdout);
      for (const [repoSlug, way] of ways) {
        const said = await it.job({ repoSlug }).then(
          () => 'a job was created',
          ({ message }: Error) => message,
        );
        assert.ok(said.startsWith('The job cannot run. ') && said.includes(way), said);
        assert.ok(doctor.replace(/\s+/g, ' ').includes(way), doctor);
      }
      assert.equal((await it.client.jobs()).jobs, []);
    },
  )();
  rmSync(dir, { recursive: true, force: true });
});

test(
  'a whole job ends well on a plain repository and on the kinds that broke before',
  jobOnEach(COMMON_SHAPES),
);

long('a whole job ends well on each shape of repository', jobOnEach(RARE_SHAPES));

test.run();
