import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canNamespaces } from '../support/agents/confined.ts';
import { Story } from '../support/story.ts';

// A sandbox has a /dev of its own: inside, a home in /dev/shm, where tests have theirs, does not exist.
process.env['TMPDIR'] = '/tmp';

const test = suite('stories: a setup in the sandbox');

const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/work.md, status: coding }
`;

const SETUP = `
if cat ../../../config.json > /dev/null 2>&1; then echo configuration: read; else echo configuration: refused; fi
echo from-setup >> "$HOME/.cache/tool/file"
`;

const PROGRAM = `
import { appendFileSync } from 'node:fs';
appendFileSync(process.env.HOME + '/.cache/tool/file', 'from-agent\\n');
`;

if (!canNamespaces())
  test('the kernel gives no user namespaces (unshare -U true fails): no sandbox can be tried', () =>
    undefined);
else
  for (const sandboxProfile of ['bubblewrap', 'runtime'])
    test(`in ${sandboxProfile} a setup is confined as agents are, and both write to the shared cache`, async () => {
      const it = new Story({
        workflow: WORKFLOW,
        programs: { work: PROGRAM },
        config: {
          runner: { sandbox: 'required', sandboxProfile, stopGraceSeconds: 0 },
          checkout: { repositories: [{ repo: 'repo', setup: SETUP, caches: ['.cache/tool'] }] },
        },
      });
      try {
        await it.runner.start();
        const id = await it.job();
        const job = await it.until(id, ({ ended, parked }) => ended || parked !== null);
        assert.is(job.status, 'complete', JSON.stringify(job.parked));
        const log = await it.log(id);
        assert.ok(log.includes('[setup] configuration: refused'), log.join('\n'));
        const cache = join(it.home, 'caches', 'repo', '.cache', 'tool', 'file');
        assert.is(readFileSync(cache, 'utf8'), 'from-setup\nfrom-agent\n');
      } finally {
        await it.end();
      }
    });

test.run();
