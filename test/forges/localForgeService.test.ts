import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Forge, ForgeActor } from '../../src/contract/forge/forge.ts';
import type { RowReader } from '../../src/contract/records/rowReader.ts';
import { createLocalForgeService } from '../../src/forges/localForgeService.ts';
import type { Requests } from '../../src/jobs/commands/requests.ts';

const test = suite('pull requests of the local forge');

/** A service whose forge does nothing but say who acted, and why. */
function stage() {
  const acts: { author: string; reason?: string }[] = [];
  const nothing = { rows: [], events: [] };
  const service = createLocalForgeService({
    forge: {
      write: async (_operation: string, _args: object, { author }: ForgeActor) => {
        acts.push({ author });
        return nothing;
      },
      setOpen: async ({ reason }: { reason: string }, { author }: ForgeActor) => {
        acts.push({ author, reason });
        return nothing;
      },
      pullRequest: async () => ({}),
    } as object as Forge,
    kernel: { submit: async () => ({ sends: [], started: [] }) },
    rows: {} as RowReader,
    requests: {
      runOnce: (_request: unknown, _view: unknown, work: (scope: object) => unknown) =>
        work({ claim: () => [] }),
    } as object as Requests,
    ids: { next: () => 'id', secret: () => 'secret' },
    now: () => 0,
    tells: () => true,
  });
  return { service, acts };
}

const ASKER = { by: 'open' } as const;

test('who acts without a name is the developer (HTTP-1)', async () => {
  const { service, acts } = stage();
  await service.approvePullRequest('acme/site', 1, {}, ASKER);
  await service.closePullRequest('acme/site', 1, {}, ASKER);
  assert.equal(acts, [{ author: 'developer' }, { author: 'developer', reason: '' }]);
});

test('the name and the reason that the request gives are kept (HTTP-1)', async () => {
  const { service, acts } = stage();
  await service.mergePullRequest('acme/site', 1, { author: 'ann' }, ASKER);
  await service.reopenPullRequest('acme/site', 1, { author: 'ann', reason: 'again' }, ASKER);
  assert.equal(acts, [{ author: 'ann' }, { author: 'ann', reason: 'again' }]);
});

test.run();
