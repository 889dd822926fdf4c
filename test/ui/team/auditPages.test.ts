import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuditEntry } from '../../../src/contract/schema/cloud/audit.ts';
import { describeAuditCheck } from '../../../ui/team/auditCheckText.ts';
import { AUDIT_PAGE, hasAuditFilter } from '../../../ui/audit/auditFilter.ts';
import { parseAuditAsked, toAuditRequest, toAuditRows } from '../../../ui/team/auditPages.ts';

const test = suite('dashboard of a team: pages of the audit log');

const toEntries = (from: number, to: number): AuditEntry[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    n: from + index,
    at: '2026-11-30T00:00:00.000Z',
    userId: 'ada',
    person: 'Ada',
    address: '127.0.0.1',
    action: 'changeTeam',
    target: {},
    failed: null,
    refersTo: null,
    hash: '',
  }));

const readQuery = (query: Record<string, string>) =>
  Object.fromEntries(new URLSearchParams(toAuditRequest(parseAuditAsked(query)).slice(6)));

test('the address is the request, with one entry more than a page has (CLD-1)', () => {
  assert.equal(readQuery({}), { limit: String(AUDIT_PAGE + 1) });
  assert.equal(readQuery({ person: ' Ben ', action: 'login', since: '2026-11-30', before: '7' }), {
    limit: String(AUDIT_PAGE + 1),
    person: 'Ben',
    action: 'login',
    since: new Date('2026-11-30T00:00').toISOString(),
    before: '7',
  });
});

test('what means nothing in an address is left out', () => {
  const filter = parseAuditAsked({ since: '2026-99-99', before: '-1', after: '1e3', person: ' ' });
  assert.equal(filter, { person: '', action: '', since: '', before: null, after: null });
  assert.not.ok(hasAuditFilter(filter));
});

test('the newest page has no newer one, and an older one where an entry is left over', () => {
  const whole = toAuditRows({ entries: toEntries(1, AUDIT_PAGE) }, { before: null, after: null });
  assert.equal(
    [whole.rows[0]?.n, whole.rows.at(-1)?.n, whole.hasOlder, whole.hasNewer],
    [AUDIT_PAGE, 1, false, false],
  );
  const more = toAuditRows(
    { entries: toEntries(1, AUDIT_PAGE + 1) },
    { before: null, after: null },
  );
  assert.equal(
    [more.rows[0]?.n, more.rows.at(-1)?.n, more.hasOlder, more.hasNewer],
    [AUDIT_PAGE + 1, 2, true, false],
  );
});

test('a page after an entry drops the newest of too many', () => {
  const page = toAuditRows(
    { entries: toEntries(11, AUDIT_PAGE + 11) },
    { before: null, after: 10 },
  );
  assert.equal(
    [page.rows[0]?.n, page.rows.at(-1)?.n, page.hasOlder, page.hasNewer],
    [AUDIT_PAGE + 10, 11, true, true],
  );
});

test('a page before an entry has newer ones, and so has one past the end', () => {
  assert.ok(toAuditRows({ entries: toEntries(1, 3) }, { before: 4, after: null }).hasNewer);
  assert.ok(toAuditRows({ entries: [] }, { before: null, after: 99 }).hasNewer);
  assert.not.ok(toAuditRows({ entries: toEntries(8, 9) }, { before: null, after: 7 }).hasNewer);
});

test('the result of a check has a tone of its own', () => {
  const good = {
    from: 1,
    checked: 3,
    isComplete: true,
    head: { n: 3, hash: 'abc' },
    fault: null,
  };
  assert.is(describeAuditCheck(good).tone, 'good');
  assert.is(describeAuditCheck({ ...good, from: 0, checked: 0 }).tone, 'over');
  for (const reason of ['changed', 'missing'] as const) {
    const { tone, says } = describeAuditCheck({ ...good, fault: { n: 2, reason } });
    assert.is(tone, 'bad');
    assert.match(says, 'Entry 2');
  }
  assert.is.not(
    describeAuditCheck({ ...good, isComplete: false }).says,
    describeAuditCheck(good).says,
  );
});

test.run();
