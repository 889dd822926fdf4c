import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Story, story } from '../support/story.ts';

const test = suite('stories: the life of a checkout');

const WORKFLOW = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;

const publish = (it: Story, files: Record<string, string>): void => {
  for (const [path, text] of Object.entries(files)) it.write(join(it.dir, 'work', path), text);
  it.git('add', '--all');
  it.git('commit', '--quiet', '-m', 'files');
  it.git('push', '--quiet', it.repository, 'HEAD:main');
};

const isOver = (job: { ended: boolean; parked: unknown }) => job.ended || job.parked !== null;

test(
  'a runner that is killed in the middle of a setup runs it again, and what was started of it has ended',
  story(
    {
      workflow: WORKFLOW,
      programs: { worker: `console.log('runs: ' + readFileSync('runs', 'utf8').length);` },
      config: {
        runner: { stopGraceSeconds: 0 },
        checkout: {
          repositories: [
            {
              repo: 'repo',
              setup: 'printf x >> runs; test -e ../go || { echo waits; sleep 600; }',
            },
          ],
        },
      },
    },
    async (it) => {
      const id = await it.job();
      await it.firstLines(id, 'waits');
      await it.runner.kill();
      it.write(join(it.home, 'work', id, 'go'), '');
      await it.runner.start();
      const job = await it.until(id, isOver);
      const log = await it.log(id);
      assert.is(job.status, 'complete', JSON.stringify(job.parked));
      assert.ok(log.includes('runs: 2'), log.join('\n'));
    },
  ),
);

test(
  'a job that is cancelled ends its setup',
  story(
    {
      workflow: WORKFLOW,
      programs: { worker: '' },
      config: {
        runner: { stopGraceSeconds: 5 },
        checkout: {
          repositories: [
            {
              repo: 'repo',
              setup: 'trap "touch ../ended; exit 1" TERM; echo waits; sleep 600 & wait',
            },
          ],
        },
      },
    },
    async (it) => {
      const id = await it.job();
      await it.firstLines(id, 'waits');
      await it.client.cancel(id);
      await it.settled(async () => existsSync(join(it.home, 'work', id, 'ended')));
    },
  ),
);

test(
  'the file of a repository counts once it is trusted, and again only when its new text is',
  story(
    { workflow: WORKFLOW, programs: { worker: `console.log('built: ' + existsSync('built'));` } },
    async (it) => {
      const play = async () => {
        const id = await it.job();
        const job = await it.until(id, isOver);
        return job.ended ? it.log(id) : [job.parked?.reason ?? ''];
      };
      publish(it, { '.svc/checkout.md': '---\nsetup: touch built\n---\n' });
      const untrusted = await play();
      assert.ok(untrusted.includes('built: false'), untrusted.join('\n'));
      assert.ok(
        untrusted.some((line) => line.startsWith('[trust] .svc/checkout.md of the repository')),
        untrusted.join('\n'),
      );

      const trust = async () => {
        const [repo] = await it.client.trust();
        assert.equal(
          repo?.wants.map(({ path }) => path),
          ['.svc/checkout.md'],
        );
        await it.client.addTrust({ repo: 'repo', hash: repo?.hash ?? '' });
        return repo?.wants[0]?.runs;
      };
      assert.equal(await trust(), ['setup: touch built']);
      assert.ok((await play()).includes('built: true'));

      publish(it, { '.svc/checkout.md': '---\nsetup: touch other\n---\n' });
      assert.ok((await play()).includes('built: false'));

      publish(it, { '.svc/checkout.md': '---\nsetup: touch built\ncopyFiles: [.env]\n---\n' });
      await trust();
      const [reason] = await play();
      assert.match(
        reason ?? '',
        /not valid \(line 3\): copyFiles belongs in a person's own configuration/,
      );
    },
  ),
);

test(
  'a file of the person is in the checkout, in no log and in no pull request; teardown and cleanup remove the rest',
  story(
    {
      workflow: WORKFLOW,
      programs: {
        worker: `
console.log('file: ' + readFileSync('.env.local', 'utf8').trim());
writeFileSync('work.txt', 'done');
git('switch', '--quiet', '-c', 'feature');
git('add', '--all');
git('commit', '--quiet', '-m', 'work');
console.log('committed: ' + git('show', '--name-only', '--format=').replaceAll('\\n', ','));
`,
      },
      config: {
        runner: { stopGraceSeconds: 0 },
        checkout: {
          repositories: [
            {
              repo: 'repo',
              copyFiles: ['.env.local'],
              copyFrom: 'mine',
              teardown: 'echo "down $SVC_PORT" > ../../../torn-down; false',
            },
          ],
        },
      },
    },
    async (it) => {
      const missing = await it.job();
      const parked = await it.until(missing, isOver);
      assert.match(
        parked.parked?.reason ?? '',
        /^phase work cannot continue: \.env\.local of .+ does not exist/,
      );

      it.write(join(it.home, 'mine', '.env.local'), 'API_TOKEN=canary-of-a-person\n');
      await it.client.resume(missing);
      const job = await it.until(missing, ({ ended }) => ended);
      const log = await it.log(missing);
      assert.is(job.status, 'complete', log.join('\n'));
      assert.ok(log.includes('file: API_TOKEN=[secret]'), log.join('\n'));
      assert.ok(log.includes('committed: work.txt'), log.join('\n'));

      const removed = await it.client.gc({ olderThanMs: 0 });
      assert.ok(removed.removed.length > 0, JSON.stringify(removed));
      assert.not(existsSync(join(it.home, 'work', missing)));
      assert.match(readFileSync(join(it.home, 'torn-down'), 'utf8'), /^down \d+\n$/);
    },
  ),
);

test.run();
