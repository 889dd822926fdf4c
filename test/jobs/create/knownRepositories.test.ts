import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Forge } from '../../../src/contract/forge/forge.ts';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import {
  KNOWN_MS,
  KnownRepositories,
  REPOSITORY_MS,
  SILENT_MS,
} from '../../../src/jobs/create/knownRepositories.ts';
import { type ErrorCode, SvcError } from '../../../src/base/errors/errors.ts';
import { createForges } from '../../../src/providers/forges.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('jobs: whether a forge has a repository');

/** Two forges that could have every `<owner>/<name>`, and one on this disk. */
function world(answer: (slug: string) => Promise<void>) {
  const clock = new SimulatedClock();
  const asked: string[] = [];
  const remote = (id: string) =>
    ({
      id,
      capabilities: { remote: true },
      serves: (slug: string) => slug.includes('/'),
      canonical: (slug: string) => slug.toLowerCase(),
      checkRepository(slug: string) {
        asked.push(`${id} ${slug}`);
        return answer(slug);
      },
    }) as Partial<RemoteForge> as RemoteForge;
  const local = {
    id: 'local',
    capabilities: { remote: false, createRepo: false, decisions: [] },
    serves: (slug: string) => slug === 'shop',
  } as Partial<Forge> as Forge;
  const forges = createForges([local, remote('hub'), remote('lab')]);
  const repositories = new KnownRepositories({ forges, clock });
  const messages = async (repoSlug: string, gitProvider?: string) =>
    (await repositories.errors({ repoSlug, ...(gitProvider ? { gitProvider } : {}) })).map(
      ({ pointer, message }) => `${pointer} ${message}`,
    );
  return { clock, asked, messages };
}
const failing = (code: ErrorCode) => () => Promise.reject(new SvcError(code, 'no'));

test('one that the forge does not have is named with the forge, and what to do', async () => {
  const { messages } = world(failing('not-found'));
  const how = 'correct the name, create it, or give the account access';
  assert.equal(await messages('acme/none', 'lab'), [
    `/params/repoSlug names acme/none, but lab has no such repository, or svc's account there may not see it: ${how}`,
  ]);
  assert.equal(await messages('acme/none'), [
    `/params/repoSlug names acme/none, but hub has no such repository, or svc's account there may not see it: ${how}; or name its forge in gitProvider (lab)`,
  ]);
});

test('one that exists is asked about once for some minutes, however many jobs are created and however it is written', async () => {
  const { clock, asked, messages } = world(async () => {});
  await Promise.all(Array.from({ length: 40 }, () => messages('acme/shop')));
  clock.advance(KNOWN_MS - 1);
  assert.equal(await messages('Acme/Shop'), []);
  assert.equal(asked, ['hub acme/shop']);
  await messages('acme/shop', 'lab');
  clock.advance(1);
  await messages('acme/shop');
  assert.equal(asked, ['hub acme/shop', 'lab acme/shop', 'hub acme/shop']);
});

test('one that is missing is asked about once at a time, and again for the next job: it may be there by then', async () => {
  let isThere = false;
  const { asked, messages } = world(() => (isThere ? Promise.resolve() : failing('not-found')()));
  const all = await Promise.all(Array.from({ length: 40 }, () => messages('acme/new')));
  assert.is(all.filter(({ length }) => length === 1).length, 40);
  assert.is(asked.length, 1);
  isThere = true;
  assert.equal(await messages('acme/new'), []);
});

test('a forge that cannot be reached refuses no job, and is left alone for a while', async () => {
  for (const code of ['unreachable', 'rate-limited', 'config-invalid'] as const) {
    const { clock, asked, messages } = world(failing(code));
    assert.equal(await messages('acme/one'), [], code);
    assert.equal(await messages('acme/two'), [], code);
    assert.equal(asked, ['hub acme/one'], code);
    clock.advance(SILENT_MS);
    await messages('acme/two');
    assert.is(asked.length, 2, code);
  }
});

test('a forge that does not answer delays the first job by some seconds, and no other', async () => {
  const { clock, asked, messages } = world(() => new Promise(() => {}));
  const first = messages('acme/one');
  clock.advance(REPOSITORY_MS);
  assert.equal(await first, []);
  assert.equal(await messages('acme/two'), []);
  assert.is(asked.length, 1);
});

test('one that may not be read is no reason to leave the forge alone; those on this disk are not asked about', async () => {
  const { asked, messages } = world(failing('forbidden'));
  assert.equal(await messages('acme/one'), []);
  assert.equal(await messages('acme/two'), []);
  assert.equal(await messages('shop'), []);
  assert.equal(asked, ['hub acme/one', 'hub acme/two']);
});

test('a repository on this disk that cannot be used is named with why; one that can is not looked at again for a moment', async () => {
  const clock = new SimulatedClock();
  let [problem, looks]: [string | null, number] = ['It is broken. Fix it.', 0];
  const local = {
    id: 'local',
    capabilities: { remote: false, createRepo: false, decisions: [] },
    serves: (slug: string) => slug === 'shop',
    async repositoryProblem() {
      looks += 1;
      return problem;
    },
  } as Partial<Forge> as Forge;
  const repositories = new KnownRepositories({ forges: createForges([local]), clock });
  const params = { repoSlug: 'shop' };
  assert.is(await repositories.problem(params), 'It is broken. Fix it.');
  assert.equal(await repositories.errors(params), [
    { pointer: '/params/repoSlug', message: 'names shop. It is broken. Fix it.' },
  ]);
  problem = null;
  assert.is(await repositories.problem(params), null);
  assert.is(await repositories.problem(params), null);
  assert.is(looks, 3);
});

test.run();
