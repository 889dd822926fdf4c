import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canNamespaces } from '../support/agents/confined.ts';
import { Story } from '../support/story.ts';

// A sandbox has a /dev of its own: inside, a home in /dev/shm, where tests have theirs, does not exist.
process.env['TMPDIR'] = '/tmp';

const test = suite('stories: sandbox');

const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/work.md, status: coding }
`;

/** Changes its checkout, calls a tool, and tries to read what it must not. */
const PROGRAM = `
writeFileSync('added.md', 'x');
git('add', '--all');
git('commit', '--quiet', '-m', 'work');
tool('add_insight', { category: 'convention', text: 'from inside' });
try { readFileSync(process.env.HOME + '/../../../config.json'); console.log('configuration: read'); } catch { console.log('configuration: refused'); }
if (process.env.CONFINED === 'waits') { console.log('waits now'); await waitForEver(); }
`;

const PROFILES = [
  ['runtime', 'runtime: files, processes and hosts are confined', 'refused'],
  ['bubblewrap', 'bubblewrap: files and processes are confined, hosts are not', 'refused'],
  ['command', 'command: runner.sandboxCommand confines it', 'read'],
] as const;

const createConfig = (sandboxProfile: string, ...sandboxCommand: string[]) => ({
  runner: { sandbox: 'required', sandboxProfile, sandboxCommand, stopGraceSeconds: 0 },
});

if (!canNamespaces())
  test('the kernel gives no user namespaces (unshare -U true fails): no sandbox can be tried', () =>
    undefined);
else
  test('a job of a program runs in every profile, and none without a sandbox that is required', async () => {
    const it = new Story({ workflow: WORKFLOW, programs: { work: PROGRAM } });
    const use = async (config: object) => {
      await it.runner.stop();
      const whole = {
        tenant: { overlay: { kind: 'localDir', path: join(it.dir, 'tenant') } },
        forges: { local: { repos: { repo: it.repository } } },
        ...config,
      };
      it.write(join(it.home, 'config.json'), JSON.stringify(whole));
      await it.runner.start();
    };
    try {
      for (const [profile, line, config] of PROFILES) {
        await use(createConfig(profile, 'env', 'CONFINED=1'));
        const id = await it.job();
        const stoppedJob = await it.until(id, (job) => job.ended || job.parked !== null);
        assert.is(stoppedJob.status, 'complete', JSON.stringify(stoppedJob.parked));
        assert.is(stoppedJob.insights[0]?.text, 'from inside');
        assert.equal(stoppedJob.sandboxes, [
          { visit: 1, session: 1, state: profile, reason: null },
        ]);
        const log = await it.log(id);
        assert.ok(log.includes(`[sandbox] ${line}`), log.join('\n'));
        assert.ok(log.includes(`configuration: ${config}`), log.join('\n'));
      }
      await use(createConfig('command', 'env', 'CONFINED=waits'));
      const waiting = await it.job();
      await it.firstLines(waiting, 'waits now');
      await use(createConfig('command', 'no-such-sandbox'));
      await it.firstLines(waiting, 'and no sandbox can be used: no-such-sandbox was not found');
      assert.is((await it.client.job(waiting)).ended, false);
      const refused = await it.job().then(
        () => 'made',
        (error: unknown) => String(error),
      );
      assert.match(refused, 'no-such-sandbox was not found');
    } finally {
      await it.end();
    }
  });

test.run();
