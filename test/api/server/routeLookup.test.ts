import Router from '@koa/router';
import type { Context } from 'koa';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRouteLookup } from '../../../src/api/server/routeLookup.ts';
import { routes } from '../../../src/contract/routes/routes.ts';

const test = suite('the routes of an address');

const { findMatched, listMethods } = createRouteLookup(routes);
const toContext = (path: string, method: string) => ({ path, method, state: {} }) as Context;

/** One router with every address, as it would be without groups. */
const whole = new Router({ sensitive: true });
for (const { path, method, name } of routes)
  whole.register(path, [method], (_ctx, next) => next(), { name });

const paths = [...new Set(routes.map(({ path }) => path.replace(/:\w+/g, 'a%20b')))];
const others = ['/', '/jobs//resume', '/jobs/x//', '/Jobs', '/nowhere', '/nowhere/x', '//jobs', ''];
const requestedPaths = [...paths, ...paths.map((path) => `${path}/`), ...others];

for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
  test(`${method}: grouped addresses give the routes that all addresses together give`, () => {
    for (const path of requestedPaths)
      assert.equal(
        findMatched(toContext(path, method)).map(({ route }) => route.name),
        whole.match(path, method).pathAndMethod.map(({ name }) => name),
        path,
      );
  });

test('the methods of a path are those of all its routes', () => {
  for (const path of requestedPaths)
    assert.equal(
      listMethods(path),
      [...new Set(whole.match(path, 'GET').path.flatMap(({ methods }) => methods))].sort(),
      path,
    );
});

test('values in the address are decoded', () => {
  const [matched] = findMatched(toContext('/jobs/a%20b/resume', 'POST'));
  assert.equal(matched?.readParams(), { jobId: 'a b' });
});

test.run();
