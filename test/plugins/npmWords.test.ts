import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { installPlugin } from '../../src/plugins/install.ts';
import { createNpmRunner } from '../../src/plugins/npm.ts';
import { PluginHome, writeFiles } from '../support/pluginFolder.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('plugins: mistakes in packages');

/** What npm 11 writes. */
const MISSING = `npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/svc-plugin-nope
npm error 404
npm error 404  The requested resource 'svc-plugin-nope@*' could not be found or you do not have permission to access it.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git url.
npm error A complete log of this run can be found in: /root/.npm/_logs/2026-11-22T10_03_02_422Z-debug-0.log`;
const OLDER = "npm ERR! code E404\nnpm ERR! 404  '@acme/nope@^1' is not in this registry.";
const NO_VERSION = `npm error code ETARGET
npm error notarget No matching version found for left-pad@99.0.0.
npm error notarget In most cases you or one of your dependencies are requesting a package version that doesn't exist.`;
const RARE = `npm error code EACCES
npm error syscall mkdir
npm error A complete log of this run can be found in: /root/.npm/_logs/2026-11-22T10_03_02_422Z-debug-0.log`;

/** The refusal of an installation by an npm that ends with these words. */
async function refusedWith(home: PluginHome, words: string, spec = 'svc-plugin-nope') {
  const bin = join(home.dir, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'words'), words);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n/bin/cat '${bin}/words' >&2\nexit 1\n`, {
    mode: 0o700,
  });
  const deps = {
    pluginsDir: home.pluginsDir,
    npm: createNpmRunner({ PATH: bin }),
    ids: randomIds,
    taken: [],
  };
  return (await catchRefusal(() => installPlugin(deps, { spec }))).message;
}

test('a package or a version that the registry does not have is said in one line', async () => {
  using home = new PluginHome();
  assert.is(await refusedWith(home, MISSING), 'svc-plugin-nope is not in the npm registry (404).');
  assert.is(await refusedWith(home, OLDER), '@acme/nope@^1 is not in the npm registry (404).');
  assert.is(
    await refusedWith(home, NO_VERSION),
    'The npm registry has no version that is left-pad@99.0.0.',
  );
  assert.is(await refusedWith(home, RARE), 'npm pack failed: code EACCES syscall mkdir');
});

test('a package.json that is not JSON is named with line and column, before npm runs', async () => {
  using home = new PluginHome();
  const spec = writeFiles(join(home.dir, 'it'), {
    'package.json': '{\n  "name": "it",\n  "svc": { "id": }\n}',
  });
  assert.is(
    await refusedWith(home, 'npm was called', spec),
    `${spec}/package.json:3:18: value expected. The file must be JSON.`,
  );
});

test.run();
