import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OpenFlag, shouldOpenBrowser } from '../../cli/remote/browser.ts';
import { type Env, readEnvironment } from '../../src/host/config/home/env.ts';

const test = suite('browser');

const CASES: [opens: boolean, what: string, flag: OpenFlag, env: Env, platform: NodeJS.Platform][] =
  [
    [true, 'a Mac', undefined, {}, 'darwin'],
    [true, 'Windows', undefined, {}, 'win32'],
    [true, 'Linux with X', undefined, { DISPLAY: ':0' }, 'linux'],
    [true, 'Linux with Wayland', undefined, { WAYLAND_DISPLAY: 'wayland-0' }, 'linux'],
    [false, 'Linux without a display', undefined, {}, 'linux'],
    [false, 'Linux with an empty DISPLAY', undefined, { DISPLAY: '' }, 'linux'],
    [false, 'CI=true', undefined, { CI: 'true' }, 'darwin'],
    [true, 'CI=false', undefined, { CI: 'false' }, 'darwin'],
    [false, 'over SSH', undefined, { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, 'darwin'],
    [
      false,
      'over SSH with a forwarded display',
      undefined,
      { SSH_CONNECTION: 'x', DISPLAY: ':10' },
      'linux',
    ],
    [false, 'SVC_NO_OPEN=1', undefined, { SVC_NO_OPEN: '1' }, 'darwin'],
    [true, 'SVC_NO_OPEN=0', undefined, { SVC_NO_OPEN: '0' }, 'darwin'],
    [false, '--no-open', false, { DISPLAY: ':0' }, 'linux'],
    [true, '--open in CI', true, { CI: 'true' }, 'linux'],
    [true, '--open with SVC_NO_OPEN=1', true, { SVC_NO_OPEN: '1' }, 'darwin'],
    [true, '--open without a display over SSH', true, { SSH_CONNECTION: 'x' }, 'linux'],
  ];
for (const [opens, what, flag, env, platform] of CASES) {
  test(`${what}: ${opens ? 'opens' : 'does not open'} (CLI-7)`, () => {
    assert.is(shouldOpenBrowser(flag, readEnvironment(env).browser, platform), opens);
  });
}

test.run();
