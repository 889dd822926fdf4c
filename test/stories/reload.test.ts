import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GithubStage, REPO, TOKEN } from '../support/forges/githubStage.ts';
import { type Story, story } from '../support/story.ts';

const test = suite('stories: the configuration while the runner runs');

const ONE_PHASE = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;

/** Changes the file as an editor does: another one takes its name. */
function edit(it: Story, change: (config: Record<string, unknown>) => void): void {
  const file = join(it.home, 'config.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  change(config);
  writeFileSync(`${file}.new`, JSON.stringify(config));
  renameSync(`${file}.new`, file);
}

test(
  'an edited file is in force at once; one with a mistake changes nothing; SIGHUP reads it too (CFG-1 CLI-2)',
  story(
    {
      workflow: ONE_PHASE,
      programs: {
        worker: "while (!existsSync('go')) await new Promise((r) => setTimeout(r, 20));",
      },
      config: { runner: { maxConcurrentJobs: 1 } },
    },
    async (it) => {
      const first = await it.job();
      const working = await it.until(first, (job) => job.state.includes('working.inSession'));
      const second = await it.job();
      await it.until(second, (job) => job.state.includes('queued'));

      edit(it, (config) => {
        config.runner = { maxConcurrentJobs: 2, logLevel: 'debug' };
        config.server = { port: 4321 };
      });
      await it.until(second, (job) => job.state.includes('working.inSession'));
      await it.settled(async () => /take effect after svc restart/.test(it.runner.said));
      assert.match(it.runner.said, /"keys":\["runner\.logLevel","runner\.maxConcurrentJobs"\]/);
      await it.settled(async () => (await it.client.audit({ action: 'updateConfig' })).total > 0);
      assert.match(it.runner.said, /"route":"audit"/);
      const [edited] = (await it.client.audit({ action: 'updateConfig' })).acts;
      assert.is(edited?.via, 'file');
      assert.equal(edited?.target, {
        keys: 'runner.logLevel runner.maxConcurrentJobs=2 server.port=4321',
      });
      assert.match(
        it.runner.said,
        /"keys":\["server\.port"\],"msg":"the configuration has changed; these/,
      );

      writeFileSync(join(it.home, 'config.json'), '{ "runner": { "maxConcurrentJobs": 0 } ');
      await it.settled(async () => /is not valid; it stays as it was/.test(it.runner.said));
      assert.is((await it.client.health()).status, 'ok');

      writeFileSync(
        join(it.home, 'config.json'),
        JSON.stringify({
          tenant: { overlay: { kind: 'localDir', path: join(it.dir, 'tenant') } },
          forges: { local: { repos: { repo: it.repository, other: it.repository } } },
          triggers: [
            {
              id: 'bug',
              plugin: 'github',
              events: ['issue.labeled'],
              workflow: 'workflows/story.md',
            },
          ],
        }),
      );
      process.kill(it.runner.pid, 'SIGHUP');
      await it.settled(async () => (await it.client.triggers()).length === 1);
      const other = await it.job({ repoSlug: 'other' });
      assert.is((await it.client.job(other)).repoSlug, 'other');

      for (const id of [first, second]) {
        const { params } = await it.client.job(id);
        it.write(join(String(params.repoCheckoutAbsDir), 'go'), '');
      }
      assert.is((await it.until(first, (job) => job.ended)).status, 'complete');
      assert.is(working.id, first);
    },
  ),
);

const NEW_TOKEN = 'ghp_thenewonethenewonethenewone';

test('a token of GitHub that is replaced while an agent works is the one that its next call uses (CFG-1)', async () => {
  const stage = await GithubStage.open();
  const { github } = stage;
  const settings = (token: string) => ({
    installed: { github: { config: { token, baseUrl: github.url } } },
  });
  const options = {
    workflow: `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working, tools: [shell, github_create_pr] }
`,
    programs: {
      worker: `
git('switch', '-q', '-c', 'change');
git('commit', '-q', '--allow-empty', '-m', 'change');
while (!existsSync('go')) await new Promise((r) => setTimeout(r, 20));
console.log('opened ' + tool('github_create_pr', { head: 'change', title: 'A change' }).prId);`,
    },
    config: { plugins: settings(TOKEN) },
  };
  try {
    await story(options, async (it) => {
      const id = await it.job({ repoSlug: REPO, gitProvider: 'github' });
      const { params } = await it.until(id, (job) => job.state.includes('working.inSession'));
      github.state.users.delete(TOKEN);
      github.state.addUser(NEW_TOKEN, 'svc-robot');
      edit(it, (config) => {
        config.plugins = settings(NEW_TOKEN);
      });
      await it.settled(async () => it.runner.said.includes('plugins.installed.github'));
      it.write(join(String(params.repoCheckoutAbsDir), 'go'), '');
      assert.match(await it.firstLines(id, 'opened '), `opened github:${REPO}#1`);
      assert.is(it.runner.said.includes(NEW_TOKEN), false);
    })();
  } finally {
    await stage.end();
  }
});

test.run();
