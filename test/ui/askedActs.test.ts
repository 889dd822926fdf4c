import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AUDIT_PAGE } from '../../ui/audit/auditFilter.ts';
import { parseAskedActs, toActsQuery } from '../../ui/audit/askedActs.ts';

const test = suite('dashboard: pages of the audit log of a runner');

test('the address is the query of the runner (UI-1)', () => {
  assert.equal(toActsQuery(parseAskedActs({})), { limit: AUDIT_PAGE });
  const address = { person: ' Ben ', action: 'addTrust', since: '2026-11-30', offset: '50' };
  assert.equal(toActsQuery(parseAskedActs(address)), {
    limit: AUDIT_PAGE,
    offset: 50,
    person: 'Ben',
    action: 'addTrust',
    since: new Date('2026-11-30T00:00').toISOString(),
  });
});

for (const [name, value] of [
  ['since', 'yesterday'],
  ['offset', '-50'],
  ['offset', 'all'],
] as const)
  test(`${name}=${value} means nothing and is left out (UI-1)`, () => {
    assert.equal(toActsQuery(parseAskedActs({ [name]: value })), { limit: AUDIT_PAGE });
  });

test.run();
