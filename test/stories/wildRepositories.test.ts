import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inLongLane, longLane } from '../support/longLane.ts';
import { Story } from '../support/story.ts';
import {
  COMMON_SHAPES,
  MIXED_SHAPES,
  RARE_SHAPES,
  type WildShape,
} from '../support/wild/shapes.ts';
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

interface PlacedRepository {
  slug: string;
  shape: WildShape;
  one: WildRepository;
}

function makeAll(dir: string, shapes: readonly WildShape[]): PlacedRepository[] {
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

/** Repositories that no job could use, each with a part of what to do about it. */
function makeUnusable(dir: string): readonly { slug: string; path: string; way: string }[] {
  const person = new WildPerson(join(dir, 'plainHome'));
  const origin = new WildRepository(person, join(dir, 'unusable'));
  origin.commit('first', { 'a.txt': 'a\n' });
  origin.commit('second', { 'a.txt': 'b\n' });
  origin.git('config', 'uploadpack.allowFilter', 'true');
  const partial = join(dir, 'partial');
  person.git(dir, 'clone', '--quiet', '--filter=blob:none', `file://${origin.path}`, partial);
  const empty = join(dir, 'empty');
  person.git(dir, 'init', '--quiet', empty);
  const sub = join(origin.path, 'sub');
  mkdirSync(sub);
  const above = `is not a git repository, but a folder of the repository ${origin.path}: name that one`;
  return [
    { slug: 'partial', path: partial, way: `git -C '${partial}' fetch --refetch --no-filter` },
    { slug: 'empty', path: empty, way: `git -C '${empty}' commit --allow-empty` },
    { slug: 'sub', path: sub, way: above },
  ];
}

const dir = mkdtempSync(join(tmpdir(), 'svc-wild-'));
const repositories = makeAll(
  dir,
  inLongLane ? [...MIXED_SHAPES, ...COMMON_SHAPES, ...RARE_SHAPES] : MIXED_SHAPES,
);
const unusable = makeUnusable(dir);
/** One runner for all of them. */
const it = new Story({
  workflow: WORKFLOW,
  programs: { coder: CODER, closer: '' },
  config: {
    forges: {
      local: {
        repos: Object.fromEntries([
          ...unusable.map(({ slug, path }) => [slug, { path }]),
          ...repositories.map(({ slug, one }) => [
            slug,
            { path: one.path, defaultBranch: one.branch },
          ]),
        ]),
      },
    },
    runner: { maxConcurrentJobs: AT_ONCE },
  },
});
test.before(() => it.runner.start({ HOME: join(dir, 'home') }));
test.after(async () => {
  await it.end();
  rmSync(dir, { recursive: true, force: true });
});

/** A whole job: pull request, a base that moves, a merge by a person. */
async function play({ slug, shape, one }: PlacedRepository): Promise<void> {
  const job = await it.job({ repoSlug: slug });
  const opened = await it.until(job, ({ parked, ended }) => ended || parked !== null);
  assert.is(opened.parked?.kind, 'event', JSON.stringify(opened.parked ?? opened.status));
  one.move();
  shape.meanwhile?.(one);
  const before = one.status();
  const expected = one.mergedByGit('change');
  await it.client.mergePullRequest(slug, 1, { author: 'ann' });
  const endedJob = await it.until(job, ({ ended }) => ended);
  assert.is(endedJob.status, 'complete');
  assert.is(one.readTree(one.branch), expected, 'git merges something else');
  assert.is(one.status(), before, 'the working tree has changed');
  one.git('fsck', '--no-dangling', '--no-progress');
  assert.not.ok(existsSync(join(one.dir, 'ran')), 'something was run');
  if (one.tree !== null) assert.is(readFileSync(join(one.tree, 'svc.txt'), 'utf8').trim(), 'svc');
}

const jobOnEach = (shapes: readonly WildShape[]) => async () => {
  const failures: string[] = [];
  const remaining = repositories.filter(({ shape }) => shapes.includes(shape));
  const work = async (): Promise<void> => {
    for (let next = remaining.shift(); next; next = remaining.shift()) {
      const { shape, slug } = next;
      await play(next).catch((error: unknown) => {
        failures.push(`${shape.name} (${slug}): ${error instanceof Error ? error.message : error}`);
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  assert.equal(failures, []);
};

test('a repository that no job could use is refused before the job exists, with what to do', async () => {
  for (const { slug, way } of unusable) {
    const outcome = await it.job({ repoSlug: slug }).then(
      () => 'a job was created',
      ({ message }: Error) => message,
    );
    assert.ok(outcome.startsWith('The job cannot run. ') && outcome.includes(way), outcome);
  }
  assert.equal((await it.client.jobs()).jobs, []);
});

long('svc doctor says what to do about each of them', async () => {
  const doctor = await it.runner
    .command('doctor')
    .catch((error: { stdout: string }) => error.stdout);
  for (const { way } of unusable) assert.ok(doctor.replace(/\s+/g, ' ').includes(way), doctor);
});

test('a whole job ends well on a repository with all that broke before', jobOnEach(MIXED_SHAPES));

long(
  'a whole job ends well on a plain repository and on each kind that broke before',
  jobOnEach(COMMON_SHAPES),
);

long('a whole job ends well on each shape of repository', jobOnEach(RARE_SHAPES));

test.run();
