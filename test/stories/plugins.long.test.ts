import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientError } from '../../src/api/client/problem.ts';
import { greeter, PluginHome } from '../support/pluginFolder.ts';
import { story } from '../support/story.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: plugins');
const long = longLane(test);

const phaseOn = (provider: string) => `
initial_phase: only
initial_status: working
phases:
  - { name: only, agent: agents/none.md, status: working, provider: ${provider} }
`;

long(
  'a plugin is installed while the runner runs and does a job; removed, the next job says that it is not there (HTTP-6 CLI-4)',
  story({ workflow: phaseOn('greeter'), programs: { none: '' } }, async (it) => {
    using home = new PluginHome();
    const plugin = await it.client.installPlugin({ spec: home.folder('greeter', greeter()) });
    assert.is(plugin.health.state, 'healthy');
    assert.ok(existsSync(join(it.home, 'plugins', 'greeter', 'index.js')));
    const id = await it.job();
    assert.is((await it.until(id, (job) => job.ended)).status, 'complete');
    assert.ok((await it.log(id)).some((line) => line.startsWith('hello ')));

    await it.runner.stop();
    await it.runner.start();
    const again = await it.job();
    assert.is((await it.until(again, (job) => job.ended)).status, 'complete');

    await it.client.uninstallPlugin('greeter');
    // Said before a job exists, with its place.
    const refused = await it.job().catch((error) => error);
    assert.equal(refused.status, 422);
    assert.equal(refused.code, 'workflow-invalid');
    assert.match(
      JSON.stringify(refused.problem),
      /unknown-provider.*greeter|greeter.*unknown-provider/,
    );
  }),
);

const RUN = 'async run(request) {';
const FAULTS: readonly (readonly [what: string, code: string, why: RegExp])[] = [
  ['throws when it is loaded', "throw new Error('at loading');", /at loading/],
  [
    'throws in a session',
    greeter().replace(RUN, `${RUN} throw new Error('in the session');`),
    /in the session/,
  ],
  [
    'throws later',
    greeter().replace(
      RUN,
      `${RUN} setTimeout(() => { throw new Error('much later'); }, 20); await new Promise(() => {});`,
    ),
    /much later/,
  ],
  ['ends its process', greeter().replace(RUN, `${RUN} process.exit(9);`), /exit code 9/],
  [
    'lies in its manifest',
    greeter().replace('"resume":false', '"resume":true'),
    /does not match its manifest/,
  ],
];

test(
  'a plugin that throws, hangs, lies or breaks out: the runner continues and reports it (HTTP-6)',
  story({ workflow: phaseOn('faulty'), programs: { none: '' } }, async (it) => {
    using home = new PluginHome();
    for (const [what, code, why] of FAULTS) {
      const spec = home.executorTarball('faulty', code);
      await it.client.installPlugin({ spec });
      const job = await it.until(await it.job(), ({ ended, parked }) => ended || parked !== null);
      assert.match(JSON.stringify(job), why, what);
      const health = (await it.client.plugins()).find(({ id }) => id === 'faulty')?.health;
      assert.equal(health?.state, 'unhealthy', what);
      assert.equal(why.test(health?.detail ?? ''), true, what);
    }

    await it.client.installPlugin({
      spec: home.executorTarball('faulty', greeter().replace(RUN, `${RUN} for (;;);`)),
    });
    const hanging = await it.job();
    await it.until(hanging, ({ state }) => state.includes('working.inSession'));
    await it.client.cancel(hanging);
    assert.is((await it.until(hanging, ({ ended }) => ended)).status, 'cancelled');

    const before = readdirSync(join(it.home, 'plugins'));
    const escaping = home.executorTarball('escaping', greeter(), {}, [
      { path: 'package/../../evil', body: 'x' },
    ]);
    const linking = home.executorTarball('linking', greeter(), {}, [
      { path: 'package/l', type: '2', link: '/etc/passwd' },
    ]);
    for (const spec of [escaping, linking]) {
      const refused = await it.client.installPlugin({ spec }).then(
        () => 'installed',
        (error: unknown) => (error instanceof ClientError ? error.code : error),
      );
      assert.is(refused, 'invalid');
    }
    assert.equal(readdirSync(join(it.home, 'plugins')), before);
    assert.is((await it.client.health()).status, 'ok');
    assert.is(it.runner.restarts, 0);
    assert.match(it.runner.said, /a plugin is unhealthy/);
  }),
);

test.run();
