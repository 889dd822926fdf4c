import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fillConfigDefaults } from '../../../../src/host/config/mistakes/checkConfig.ts';
import { reportCheckoutMistakes } from '../../../../src/host/config/mistakes/reportCheckoutMistakes.ts';

const test = suite('mistakes in the settings of checkouts');

function places(checkout: object, more: object = {}): string[] {
  const found: string[] = [];
  reportCheckoutMistakes(fillConfigDefaults({ checkout, ...more }), (path) =>
    found.push(path.join('.')),
  );
  return found;
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
