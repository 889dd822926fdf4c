import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PluginContext, PluginForge } from '../../src/contract/runner/plugin.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { runConformance } from '../../src/plugins/conformance/runConformance.ts';
import { createGuardedRequest } from '../../src/plugins/guardedRequest.ts';
import { readPackage } from '../../src/plugins/manifest.ts';
import { toPlugin } from '../../src/plugins/openPlugin.ts';
import {
  FORGE_TOKEN,
  InstalledForgeStage,
  MYFORGE,
} from '../support/forges/installedForgeStage.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const test = suite('plugins conformance: forges');

test('a forge that keeps every promise passes on its sample repository; one whose merge is not pinned is named', async () => {
  const stage = await InstalledForgeStage.open();
  try {
    const { manifest, entry } = await readPackage(MYFORGE);
    const module: { default?: unknown } = await import(entry);
    const plugin = toPlugin(module.default, manifest);
    if (plugin.kind !== 'scm') throw new Error('not a forge');
    const failedWith = async (
      repo: string,
      breaks: (forge: PluginForge) => Partial<PluginForge>,
    ) => {
      stage.server.state.addProject(repo, ['svc-robot', 'ann']);
      const config = { token: FORGE_TOKEN, baseUrl: stage.server.url };
      const dir = join(stage.dir, repo.replace('/', '-'));
      mkdirSync(dir);
      const cases = await runConformance({
        plugin: {
          ...plugin,
          samples: { config, repo },
          async create(context: PluginContext) {
            const forge = await plugin.create(context);
            return { ...forge, ...breaks(forge) };
          },
        },
        manifest,
        context: {
          config,
          clock: systemClock,
          request: createGuardedRequest('sample', ['127.0.0.1']),
        },
        allowHosts: ['127.0.0.1'],
        dir,
      });
      return cases.filter(({ outcome }) => outcome !== 'passed').map(({ name }) => name);
    };
    assert.equal(await failedWith('acme/good', () => ({})), []);
    const loose = await failedWith('acme/loose', (forge) => ({
      async merge({ head: _, ...args }) {
        const { headCommit: head } = await forge.pullRequest(args);
        return forge.merge({ ...args, head });
      },
    }));
    assert.is(loose[0], 'merge-is-pinned');
    const always = await failedWith('acme/always', (forge) => ({
      pullRequest: async (args) => ({
        ...(await forge.pullRequest(args)),
        hindrances: ['it is open'],
      }),
    }));
    assert.equal(always, ['hindrances-are-lines']);
    const ragged = await failedWith('acme/ragged', (forge) => ({
      pullRequest: async (args) => ({
        ...(await forge.pullRequest(args)),
        hindrances: ['two\nlines'],
      }),
    }));
    assert.is(ragged[0], 'comment-is-read-back');
  } finally {
    await stage.stop();
  }
});

test.run();
