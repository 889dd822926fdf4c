import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { wantsColor } from '../../../src/base/output/wantsColor.ts';

for (const [env, atTerminal, elsewhere] of [
  [{}, true, false],
  [{ CI: 'true' }, true, false],
  [{ CI: 'true', GITHUB_ACTIONS: 'true', COLORTERM: 'truecolor' }, true, false],
  [{ TERM: 'dumb' }, false, false],
  [{ NO_COLOR: '1' }, false, false],
  [{ NO_COLOR: '' }, true, false],
  [{ FORCE_COLOR: '1' }, true, true],
  [{ FORCE_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '0' }, false, false],
  [{ FORCE_COLOR: 'false', CI: 'true' }, false, false],
  [{ FORCE_COLOR: '3', NO_COLOR: '1' }, false, false],
] as const)
  test(`${JSON.stringify(env)} colours ${atTerminal ? 'a terminal' : 'no terminal'} and ${elsewhere ? 'a pipe' : 'no pipe'}`, () => {
    assert.equal([wantsColor(env, true), wantsColor(env, false)], [atTerminal, elsewhere]);
  });

test.run();
