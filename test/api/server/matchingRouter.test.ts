import Router from '@koa/router';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MatchingRouter } from '../../../src/api/server/matchingRouter.ts';
import { routes } from '../../../src/api/routes/routes.ts';

const test = suite('routes that can be those of an address');

function registered<Kind extends Router>(router: Kind): Kind {
  for (const { path, method, name } of routes)
    router.register(path, [method], () => undefined, { name });
  return router;
}
const plain = registered(new Router({ sensitive: true }));
const ours = registered(new MatchingRouter({ sensitive: true }));
const names = ({ path, pathAndMethod, route }: ReturnType<Router['match']>) => ({
  path: path.map(({ name }) => name),
  pathAndMethod: pathAndMethod.map(({ name }) => name),
  route,
});

test('every route is found by its address, as the router itself finds it', () => {
  for (const { path, method, name } of routes) {
    const address = path.replace(/:\w+/g, 'x-1');
    assert.ok(names(ours.match(address, method)).pathAndMethod.includes(name), name);
    assert.equal(names(ours.match(address, method)), names(plain.match(address, method)), name);
  }
});

test('so are other methods, slashes, letters and addresses without a route', () => {
  for (const [method, path] of [
    ['DELETE', '/jobs'],
    ['get', '/jobs'],
    ['GET', '/jobs/'],
    ['GET', '/jobs//'],
    ['GET', '//jobs'],
    ['GET', '/Jobs'],
    ['GET', '/jobs/stream'],
    ['GET', '/jobs/%2e%2e'],
    ['GET', '/'],
    ['GET', ''],
    ['GET', '/nothing/here'],
  ] as const)
    assert.equal(names(ours.match(path, method)), names(plain.match(path, method)), path);
});

test('a route without a fixed length is refused: it would not be found', () => {
  const router = new MatchingRouter();
  router.register('/files/*path', ['GET'], () => undefined, {});
  assert.throws(() => router.match('/files/a/b', 'GET'), /needs a method, a fixed first part/);
});

test.run();
