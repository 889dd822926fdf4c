import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { isMarked } from '../../src/git/marks.ts';
import { Chance } from '../sim/chance.ts';
import type { Fault } from '../support/forges/fakeForge/server.ts';
import { FakeGithub } from '../support/forges/fakeGithub/fakeGithub.ts';
import { story, type Story } from '../support/story.ts';
import { PATIENCE_MS } from '../support/inTime.ts';

const test = suite('stories: GitHub in a storm');

const seed = Number(process.env.SVC_SEED ?? Date.now() % 1_000_000);
const TOKEN = 'ghp_storm';
const REPO = 'acme/shop';
const JOBS = 4;
/** Comments of a person on each pull request. */
const COMMENTS = 25;
const KILLS = 3;

const WORKFLOW = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
`;

/**
 * Opens its pull request, says one thing each turn, and waits. A failed call is not reported: the
 * next turn continues.
 */
const CODER = `
const attempt = (name, args) => { try { return tool(name, args); } catch (error) { console.log(String(error)); return null; } };
const head = 'change-' + session.jobId;
if (git('branch', '--list', head) === '') git('switch', '-q', '-c', head);
git('commit', '-q', '--allow-empty', '-m', 'turn ' + session.visit);
let pr = null;
for (let n = 0; n < 5 && pr === null; n += 1) pr = attempt('github_create_pr', { head, title: head });
if (pr !== null) attempt('github_post_pr_comment', { number: pr.number, body: 'turn ' + session.visit + '.' + session.session });
tool('await_event', {});
`;

/** What goes wrong with a request. */
const drawFault = (chance: Chance, method: string): Fault => {
  if (chance.is(0.04)) return { status: 500 };
  if (chance.is(0.03)) return { status: 429, headers: { 'retry-after': '1' } };
  if (chance.is(0.02))
    return {
      status: 403,
      headers: { 'retry-after': '1' },
      body: { message: 'You have exceeded a secondary rate limit.' },
    };
  if (chance.is(0.03)) return 'cut-after';
  // The outcome of a comment that was cut off before it arrived is unknown: its job escalates. Most
  // should continue.
  return chance.is(method === 'GET' ? 0.04 : 0.01) ? 'cut-before' : null;
};

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Texts of ann's comments in the order in which the job's journal has them. */
async function listHeardComments(it: Story, id: string): Promise<string[]> {
  const texts: string[] = [];
  let after = 0;
  for (;;) {
    const rows = await it.client.journal(id, { after });
    for (const { event } of rows) {
      const news: { author?: string; text?: string } = Object(Reflect.get(event, 'event'));
      if (event.type === 'forge.event' && news.author === 'ann') texts.push(String(news.text));
    }
    const last = rows.at(-1);
    if (!last) return texts;
    after = last.seq;
  }
}

test(`seed ${seed}: every event reaches its job once and in order, nothing is written twice, what is undecided escalates (EVT-1 EVT-2 RUN-4)`, async () => {
  const chance = new Chance(String(seed));
  const github = new FakeGithub();
  github.state.addUser(TOKEN, 'svc-robot');
  github.state.addRepo(REPO);
  github.state.lagMs = 200;
  await github.start();
  const config = {
    runner: { maxConcurrentJobs: JOBS },
    plugins: {
      installed: { github: { config: { token: TOKEN, baseUrl: github.url, pollSeconds: 1 } } },
    },
  };
  try {
    await story({ workflow: WORKFLOW, programs: { coder: CODER }, config }, async (it) => {
      const ids: string[] = [];
      for (let n = 0; n < JOBS; n += 1) ids.push(await it.job({ repoSlug: REPO }));
      const faults = chance.named('faults');
      github.fault = ({ method, path }) => (path === '/user' ? null : drawFault(faults, method));
      const hasPr = (job: Job) => job.prMappings.length > 0 || job.ended;
      // Refused requests are repeated, and each refusal makes them slower.
      for (const id of ids) await it.until(id, hasPr, PATIENCE_MS);

      const commentsByPr = new Map<number, string[]>();
      const talk = async () => {
        const pace = chance.named('talk');
        for (let n = 1; n <= COMMENTS; n += 1) {
          for (const pr of github.state.repo(REPO).prs) {
            await sleep(pace.int(20, 180));
            const [now, text] = [Date.now(), `comment ${n} on ${pr.number}`];
            pr.comments.push({
              id: github.state.id(),
              author: 'ann',
              body: text,
              at: now,
              visibleAt: now + 200,
              association: 'MEMBER',
            });
            pr.updatedAt = now;
            commentsByPr.set(pr.number, [...(commentsByPr.get(pr.number) ?? []), text]);
          }
        }
      };
      const kill = async () => {
        const pace = chance.named('kills');
        for (let n = 0; n < KILLS; n += 1) {
          await sleep(pace.int(2_000, 6_000));
          await it.runner.kill();
          await it.runner.start();
        }
      };
      await Promise.all([talk(), kill()]);
      github.fault = () => null;

      let escalated = 0;
      for (const id of ids) {
        const listExpectedTexts = (job: Job) =>
          commentsByPr.get(job.prMappings[0]?.number ?? 0) ?? [];
        const all = async (job: Job) =>
          (await listHeardComments(it, id)).length >= listExpectedTexts(job).length;
        const deadline = Date.now() + PATIENCE_MS;
        let job = await it.client.job(id);
        while (!job.ended && !(await all(job))) {
          assert.ok(
            Date.now() < deadline,
            `${id} has not heard everything: ${JSON.stringify([await listHeardComments(it, id), listExpectedTexts(job)])}`,
          );
          await sleep(100);
          job = await it.client.job(id);
        }
        job = await it.until(id, ({ parked, ended }) => parked !== null || ended, PATIENCE_MS);
        const texts = await listHeardComments(it, id);
        if (job.ended) {
          assert.is(job.status, 'escalated', job.escalationMessage ?? '');
          assert.match(job.escalationMessage ?? '', /^It is unknown whether/);
          escalated += 1;
        }
        assert.equal(texts, listExpectedTexts(job).slice(0, texts.length), `${id} (seed ${seed})`);
        if (!job.ended) assert.is(texts.length, COMMENTS, `${id} (seed ${seed})`);
      }

      const { prs } = github.state.repo(REPO);
      assert.equal(
        prs.length,
        new Set(prs.map(({ head }) => head)).size,
        'one pull request for each branch',
      );
      const marks = prs
        .flatMap(({ comments }) => comments)
        .map(({ body }) => body.split('\n').at(-1) ?? '')
        .filter(isMarked);
      assert.equal(marks.length, new Set(marks).size, `a comment was written twice (seed ${seed})`);
      const [, forge] = await it.client.forges();
      assert.ok((forge?.writes.undecided ?? 0) >= escalated);
      assert.ok(marks.length >= prs.length - escalated, 'the jobs have written');
      console.log(
        `  seed ${seed}: ${github.seen.length} requests, ${marks.length} comments written, ${escalated} jobs escalated`,
      );
    })();
  } finally {
    await github.stop();
  }
});

test.run();
