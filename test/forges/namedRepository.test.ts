import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRepositoryNamed } from '../../src/forges/outbound/namedRepository.ts';
import type { Coordinator } from '../../src/contract/schema/workflow/workflow.ts';
import type { Forge } from '../../src/contract/forge/forge.ts';
import { createForges } from '../../src/providers/forges.ts';

const test = suite('repositories that people name for a job');

const forge = (id: string, canonical: (slug: string) => string | null): Forge =>
  ({
    id,
    canonical,
    serves: (slug: string) => canonical(slug) !== null,
  }) as Partial<Forge> as Forge;
const forges = createForges([
  forge('local', (slug) => (slug === 'shop' || slug === 'other' ? slug : null)),
  forge('github', (slug) =>
    slug.includes('/') ? slug.toLowerCase() : `acme/${slug.toLowerCase()}`,
  ),
]);
const job = (
  params: Record<string, unknown>,
  writesTo?: string[],
  subRunParamsDefault?: Record<string, unknown>,
) => ({
  params: { repoSlug: 'shop', ...params },
  workflow: {
    ...(writesTo && { writesTo }),
    coordinator: subRunParamsDefault
      ? ({ subRunParamsDefault } as Partial<Coordinator> as Coordinator)
      : null,
  },
});
const other = { slug: 'other', provider: 'local' };

test("the job's own repository is named, another is not", () => {
  assert.is(isRepositoryNamed(forges, job({}), { slug: 'shop', provider: null }), true);
  assert.is(isRepositoryNamed(forges, job({}), other), false);
});

test('params and front matter name whole repositories', () => {
  assert.is(isRepositoryNamed(forges, job({ writesTo: ['local:other'] }), other), true);
  assert.is(isRepositoryNamed(forges, job({}, ['local:other']), other), true);
  assert.is(isRepositoryNamed(forges, job({}, undefined, { repoSlug: 'other' }), other), true);
});

test('a pull request does not name its repository', () => {
  assert.is(isRepositoryNamed(forges, job({ writesTo: ['local:other#1'] }), other), false);
});

test('two names of one repository are one; the same name at another forge is another repository', () => {
  const jobWithRepository = job({ writesTo: ['github:ACME/Shop'] });
  assert.is(
    isRepositoryNamed(forges, jobWithRepository, { slug: 'shop', provider: 'github' }),
    true,
  );
  assert.is(isRepositoryNamed(forges, job({ writesTo: ['github:acme/other'] }), other), false);
});

test.run();
