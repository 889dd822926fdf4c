import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  resolveSubmoduleAddress,
  toComparedAddress,
} from '../../../src/git/contents/submoduleAddress.ts';

const test = suite('addresses of submodules are compared, never connected to');

const SAME = [
  'https://github.com/acme/lib',
  'https://GitHub.com/Acme/Lib.git/',
  'https://user:secret@github.com/acme/lib.git',
  'https://github.com:443/acme/lib.git',
  'http://github.com/acme/lib',
  'ssh://git@github.com:22/acme/lib.git',
  'git@github.com:acme/lib.git',
  'git://github.com/acme/lib',
];
for (const address of SAME)
  test(`${address} is github.com/acme/lib`, () => {
    assert.is(toComparedAddress(address), 'github.com/acme/lib');
  });

const REFUSED = [
  'ext::sh -c touch% /tmp/x',
  '--upload-pack=touch /tmp/x',
  '-c core.sshCommand=touch',
  'fd::3',
  'file://host/share',
  'lib',
  '',
  'https://github.com/',
  'https://github.com/../../etc',
  'git@github.com:../../etc',
  'C:\\lib',
  'https://github.com/acme/lib\n',
  `https://github.com/${'a'.repeat(3000)}`,
];
for (const address of REFUSED)
  test(`${JSON.stringify(address.slice(0, 40))} is no address`, () => {
    assert.is(toComparedAddress(address), null);
  });

const RELATIVE: readonly (readonly [parent: string, url: string, address: string | null])[] = [
  ['https://github.com/acme/shop.git', '../lib.git', 'github.com/acme/lib'],
  ['https://github.com/acme/shop', './lib', 'github.com/acme/shop/lib'],
  ['https://github.com/acme/shop', '../../other/lib', 'github.com/other/lib'],
  ['git@github.com:acme/shop.git', '../lib', 'github.com/acme/lib'],
  ['https://github.com/acme/shop', '../../../evil.example/lib', null],
  ['/srv/git/shop.git', '../lib.git', '/srv/git/lib'],
  ['/srv/git/shop/.git', '../lib', '/srv/git/lib'],
  ['/srv/git/shop', '../../../../..', null],
  ['/srv/git/shop', 'file:///srv/git/lib.git', '/srv/git/lib'],
];
for (const [parent, url, address] of RELATIVE)
  test(`${url} of ${parent} is ${address}`, () => {
    assert.is(resolveSubmoduleAddress(parent, url), address);
  });

test.run();
