import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fillConfigDefaults } from '../../../../src/host/config/mistakes/checkConfig.ts';
import { reportCheckoutMistakes } from '../../../../src/host/config/mistakes/reportCheckoutMistakes.ts';

const test = suite('mistakes in the settings of checkouts');

function places(checkout: object, more: object = {}): string[] {
  const paths: string[] = [];
  reportCheckoutMistakes(fillConfigDefaults({ checkout, ...more }), (path) =>
    paths.push(path.join('.')),
  );
  return paths;
}

test('one repository has one entry, whatever its case', () => {
  assert.equal(places({ repositories: [{ repo: 'a/Shop' }, { repo: 'A/shop' }] }), [
    'checkout.repositories.1.repo',
  ]);
});

for (const path of ['../x', '/etc/passwd', '~/.ssh/id', 'a/../b', '.git/config', 'a*', 'a\\b'])
  test(`${path} is no path below a folder`, () =>
    assert.equal(
      places({ repositories: [{ repo: 'a', caches: [path], copyFiles: [path], copyFrom: '/x' }] }),
      ['checkout.repositories.0.copyFiles.0', 'checkout.repositories.0.caches.0'],
    ));

for (const entry of [
  'http://a.example/b',
  'https://me:secret@a.example/b',
  '../b',
  'git@a.example:b',
  'https://a.example/b?c',
])
  test(`${entry} is no source of submodules, and is not repeated`, () => {
    const reports: string[] = [];
    reportCheckoutMistakes(
      fillConfigDefaults({ checkout: { repositories: [{ repo: 'a', submodules: [entry] }] } }),
      (path, message) => reports.push(path.join('.'), String(message.includes(entry))),
    );
    assert.equal(reports, ['checkout.repositories.0.submodules.0', 'false']);
  });

test('slugs and public addresses are sources of submodules', () => {
  const submodules = ['library', 'acme/library', 'https://git.example.org/acme/library.git'];
  assert.equal(places({ repositories: [{ repo: 'a', submodules }] }), []);
});

test('files need a folder, unless the repository is one of this machine', () => {
  const rule = { repositories: [{ repo: 'shop', copyFiles: ['.env'] }] };
  assert.equal(places(rule), ['checkout.repositories.0.copyFiles']);
  assert.equal(places(rule, { forges: { local: { repos: { shop: '/srv/shop' } } } }), []);
});

test('the ports have room for one checkout', () => {
  assert.equal(places({ ports: { first: 3000, last: 3004, perCheckout: 10 } }), [
    'checkout.ports.last',
  ]);
});

test.run();
