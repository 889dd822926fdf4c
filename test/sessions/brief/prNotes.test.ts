import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPrNotes } from '../../../src/sessions/brief/prNotes.ts';
import type { PrMapping } from '../../../src/contract/schema/forge/pr.ts';
import { createForges } from '../../../src/providers/forges.ts';
import { mergePr, openPr } from '../../support/forges/fakeGithub/pulls.ts';
import { FakeJobPort, createPhase } from '../../support/http/fakeAgentJob.ts';
import { GithubStage, REPO } from '../../support/forges/githubStage.ts';
import { item } from '../../support/charts/jobSteps.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

// Runs in a process of its own: timers of what it gives up waiting for outlive it.
const test = suite('runner: notes on pull requests');

const mapping = (number: number, state: PrMapping['state'] = 'open'): PrMapping => ({
  prId: `github:${REPO}#${number}`,
  forge: 'github',
  repo: REPO,
  number,
  title: 'T',
  head: 'change',
  base: 'main',
  url: '',
  state,
  workItem: 'a',
  mergedAt: null,
});

/**
 * A job in its coding phase that owns pull requests of a GitHub; its forge is the product's own.
 */
async function onGithub(
  tell: (
    stage: GithubStage,
    clock: SimulatedClock,
    preflight: (...prs: PrMapping[]) => Promise<string | null>,
  ) => Promise<void>,
): Promise<void> {
  const stage = await GithubStage.open();
  const clock = new SimulatedClock();
  const { current } = new FakeJobPort();
  const job = { ...current, currentWorkItem: 'a', workItems: [item('a', 'in-progress')] };
  try {
    await tell(stage, clock, async (...prMappings) => {
      const notes = createPrNotes({
        forges: createForges([stage.forge]),
        clock,
        log: { warn: () => undefined },
        job: () => ({ ...job, prMappings }),
      });
      return (await notes(job.id, { phase: createPhase('coding'), session: 1, prompt: null }))
        .preflight;
    });
  } finally {
    await stage.end();
  }
}

const openNumberedPr = ({ github, repo }: GithubStage, number: number) => {
  const head = `change-${number}`;
  github.state.commit(repo, head, { [`${head}.txt`]: 'new' });
  return openPr(github.state, repo, {
    title: 'A',
    body: '',
    head,
    base: 'main',
    author: 'svc-robot',
  });
};

test('the states are those of GitHub at that moment, not the last known ones (JOB-14)', () =>
  onGithub(async (stage, _clock, preflight) => {
    const first = openNumberedPr(stage, 1);
    openNumberedPr(stage, 2);
    const both = (await preflight(mapping(1), mapping(2))) ?? '';
    assert.match(
      both,
      /^\[coding-preflight\] .* 2 open pull requests: github:acme\/shop#1, github:acme\/shop#2\..* asked just now\.$/,
    );
    mergePr(stage.github.state, stage.repo, first, 'ann', 'merged by hand');
    const one = (await preflight(mapping(1), mapping(2))) ?? '';
    assert.match(one, /an open pull request: github:acme\/shop#2\. Merged: github:acme\/shop#1\./);
  }));

test('the forge is not asked about merged pull requests, nor where the work item has none (JOB-14)', () =>
  onGithub(async (stage, _clock, preflight) => {
    assert.is(await preflight(), null);
    assert.is(await preflight(mapping(1, 'merged')), null);
    assert.equal(stage.github.seen, []);
  }));

test('a forge that fails, or says nothing for 10 s, leaves the last known state, and the text reports it (JOB-14)', () =>
  onGithub(async (stage, clock, preflight) => {
    openNumberedPr(stage, 1);
    const outdated =
      /an open pull request: github:acme\/shop#1\..* did not answer: these states are the last known ones/;
    stage.github.fault = () => ({ status: 401, body: { message: 'Bad credentials' } });
    assert.match((await preflight(mapping(1))) ?? '', outdated);
    let noteRequest = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      noteRequest = resolve;
    });
    stage.github.fault = () => {
      noteRequest();
      return { status: 503 };
    };
    const answer = preflight(mapping(1));
    await waiting;
    clock.advance(10_000);
    assert.match((await answer) ?? '', outdated);
  }));

test.run();
