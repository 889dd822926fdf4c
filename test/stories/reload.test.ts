import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
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
        config.runner = { maxConcurrentJobs: 2 };
        config.server = { port: 4321 };
      });
      await it.until(second, (job) => job.state.includes('working.inSession'));
      await it.settled(async () => /take effect after svc restart/.test(it.runner.said));
      assert.match(it.runner.said, /"keys":\["runner\.maxConcurrentJobs"\]/);
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

test.run();
