import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readRecipeFiles } from '../support/docs/readRecipeFiles.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { type Story, story } from '../support/story.ts';

const test = suite('stories: recipes of the documentation');

/** For twenty jobs in a row, ms. */
const CAMPAIGN_MS = 3 * PATIENCE_MS;

/** The three of the page, and as many like them as make twenty. */
const SHOWN = ['shop', 'site', 'tools'];
const REPOSITORIES = [
  ...SHOWN,
  ...Array.from({ length: 17 }, (_, index) => `service-${index + 4}`),
];

const toWritesTo = (slugs: readonly string[]): string =>
  `writesTo: [${slugs.map((slug) => `local:${slug}`).join(', ')}]`;

/** What the scripted agents do, by the agent of the page. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'bug-reproducer': `tool('post_artifact', { kind: 'plan-md', title: 'The bug', content: 'It adds.' });`,
  'bug-repairer': `
if (kickoff.includes('merged')) process.exit(0);
if (git('branch', '--list', 'repair') !== '') {
  tool('await_event', {});
  tool('log', { message: 'the review is answered' });
  process.exit(0);
}
git('switch', '-q', '-c', 'repair');
writeFileSync('sum.txt', '4');
git('add', '--all');
git('commit', '-q', '-m', 'repair');
const { prId } = tool('scm_create_pr', { head: 'repair', title: 'Repair the sum' });
tool('await_event', { prId });`,
  'pr-reviewer': `
tool('scm_get_pr_status', { number: 1 });
tool('scm_post_pr_comment', { number: 1, body: 'sum.txt:1 has no test.' });`,
  'update-planner': `
for (const repoSlug of ${JSON.stringify(REPOSITORIES)})
  tool('register_sub_run', { name: repoSlug, description: 'Update the dependencies.', params: { repoSlug } });
tool('finalize_sub_runs');`,
  updater: `
git('switch', '-q', '-c', 'updates');
writeFileSync('lock.txt', '2');
git('add', '--all');
git('commit', '-q', '-m', 'update');
tool('scm_create_pr', { head: 'updates', title: 'Update dependencies' });`,
  'update-reporter': `
const { subRuns } = tool('sub_run_status');
const content = subRuns.map(({ name, status }) => name + ': ' + status).join('\\n');
tool('post_artifact', { kind: 'report-md', title: 'The night', content });`,
};

/**
 * The files of the page, with twenty repositories in the list; each agent gets a program in its front
 * matter, and is otherwise unchanged.
 */
const layer = Object.fromEntries(
  readRecipeFiles()
    .filter(({ path }) => path.endsWith('.md'))
    .map(({ path, text: source }) => {
      const text = source.replace(toWritesTo(SHOWN), toWritesTo(REPOSITORIES));
      const agent = /^agents\/(.+)\.md$/.exec(path)?.[1];
      const command = `command: [node, '{layer}/programs/script-${agent}.mjs']`;
      return [path, agent === undefined ? text : text.replace('---\n', `---\n${command}\n`)];
    }),
);

const options = {
  workflow: 'initial_phase: a\ninitial_status: a\nphases:\n  - { name: a, agent: null, status: a }',
  programs: Object.fromEntries(
    Object.entries(SCRIPTS).map(([name, script]) => [`script-${name}`, script]),
  ),
  tenant: layer,
};

const start = async (it: Story, workflow: string, params: object): Promise<string> => {
  const body = { type: 'job', workflowPath: `workflows/${workflow}.md`, params: { ...params } };
  return (await it.client.createJob(body)).jobId;
};

test(
  'a bug is reproduced, approved, repaired, reviewed by the second recipe, and merged',
  story(options, async (it) => {
    const bug = await start(it, 'bug', { repoSlug: 'repo', description: 'The sum is wrong.' });
    const asks = await it.until(bug, ({ parked }) => parked?.kind === 'approval');
    assert.is(asks.phase, 'reproducing');
    await it.client.resume(bug, { eventKey: 'approve' });
    const waits = await it.until(bug, ({ parked }) => parked?.kind === 'event');
    assert.is(waits.prMappings.length, 1);

    const review = await start(it, 'review', {
      repoSlug: 'repo',
      number: '1',
      description: 'Review pull request 1: Repair the sum',
    });
    assert.is((await it.until(review, ({ ended }) => ended)).status, 'complete');
    const reviewed = await it.client.pullRequest('repo', 1);
    assert.match(JSON.stringify(reviewed), 'sum.txt:1 has no test.');

    // The comment has woken the first job, as that of a person does.
    await it.firstLines(bug, 'the review is answered');
    await it.until(bug, ({ parked }) => parked?.kind === 'event');
    await it.client.mergePullRequest('repo', 1, { author: 'ana' });
    assert.is((await it.until(bug, ({ ended }) => ended)).status, 'complete');
  }),
);

test(
  'a schedule starts the campaign, which leaves a pull request in each of twenty repositories',
  story(options, async (it) => {
    const repos = Object.fromEntries(
      REPOSITORIES.map((slug) => {
        const path = join(it.dir, `${slug}.git`);
        execFileSync('git', ['clone', '--quiet', '--bare', it.repository, path]);
        return [slug, path];
      }),
    );
    const setting = readRecipeFiles().find(({ path }) => path === 'config.json, schedules');
    const { schedules } = JSON.parse(setting?.text ?? '');
    await it.client.updateConfig({ forges: { local: { repos } }, schedules });
    const { jobId } = await it.client.runSchedule('updates');
    const campaign = await it.until(jobId, ({ ended }) => ended, CAMPAIGN_MS);
    assert.equal(
      campaign.subRuns.map(({ name, status }) => [name, status]),
      REPOSITORIES.map((slug) => [slug, 'complete']),
    );
    for (const slug of Object.keys(repos))
      assert.is((await it.client.pullRequests(slug)).length, 1, slug);
  }),
);

test.run();
