import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  checkClaims,
  checkRefreshedClaims,
} from '../../../../src/cloud/people/signOn/checkClaims.ts';
import { chooseRoles } from '../../../../src/cloud/people/signOn/applyGroupRoles.ts';

const test = suite('cloud: what a company says of a person');

const RULES = { domains: ['svc.example'], groupsClaim: 'groups', trustsEmail: false, roles: [] };
const WITH_ROLES = { ...RULES, roles: [{ group: 'staff', teamId: 't1', role: 'member' as const }] };
const ADA = { email: 'Ada@svc.example', email_verified: true, name: 'Ada' };

test('subject, address in lower case, and name (CLD-2)', () => {
  assert.equal(checkClaims('s1', ADA, RULES), {
    subject: 's1',
    email: 'ada@svc.example',
    name: 'Ada',
    groups: [],
  });
});

for (const name of [undefined, 7, '', 'a'.repeat(101), 'a\u0000b'])
  test(`the address instead of the name ${JSON.stringify(name)?.slice(0, 12)} (CLD-2)`, () => {
    const person = checkClaims('s1', { ...ADA, name }, RULES);
    assert.is(typeof person === 'string' ? person : person.name, 'ada@svc.example');
  });

for (const [claims, fault] of [
  [{}, 'no-email'],
  [{ email: ['ada@svc.example'], email_verified: true }, 'no-email'],
  [{ email: 'ada', email_verified: true }, 'no-email'],
  [{ email: 'ada@svc.example' }, 'unverified'],
  [{ email: 'ada@svc.example', email_verified: false }, 'unverified'],
  [{ email: 'ada@svc.example', email_verified: 'true' }, 'unverified'],
  [{ email: 'ada@other.example', email_verified: true }, 'domain'],
  [{ email: 'ada@evil-svc.example', email_verified: true }, 'domain'],
  [{ email: 'ada@svc.example.evil.example', email_verified: true }, 'domain'],
  [{ email: 'ada@sub.svc.example', email_verified: true }, 'domain'],
] as const)
  test(`${JSON.stringify(claims)} is refused: ${fault} (CLD-2)`, () => {
    assert.is(checkClaims('s1', claims, RULES), fault);
  });

test('where addresses are trusted, only a missing claim counts as verified (CLD-2)', () => {
  const trusting = { ...RULES, trustsEmail: true };
  const { email_verified: _, ...without } = ADA;
  assert.type(checkClaims('s1', without, trusting), 'object');
  assert.is(checkClaims('s1', { ...ADA, email_verified: false }, trusting), 'unverified');
});

test('a missing claim of groups is a refusal, an empty one is not (CLD-2)', () => {
  assert.is(checkClaims('s1', ADA, WITH_ROLES), 'no-groups');
  assert.is(checkClaims('s1', { ...ADA, groups: { staff: true } }, WITH_ROLES), 'no-groups');
  const person = checkClaims('s1', { ...ADA, groups: ['staff', 7] }, WITH_ROLES);
  assert.equal(typeof person === 'string' ? person : person.groups, ['staff']);
  assert.type(checkClaims('s1', { ...ADA, groups: [] }, WITH_ROLES), 'object');
});

test('when asked again, the issuer may leave out what has not changed (CLD-2)', () => {
  assert.equal(checkRefreshedClaims({}, RULES), []);
  assert.is(checkRefreshedClaims({ email_verified: false }, RULES), 'unverified');
  assert.is(checkRefreshedClaims({ email_verified: 'false' }, RULES), 'unverified');
  assert.is(checkRefreshedClaims({ email: 'ada@other.example' }, RULES), 'domain');
  assert.is(checkRefreshedClaims({}, WITH_ROLES), 'no-groups');
  assert.equal(checkRefreshedClaims({ groups: 'staff' }, WITH_ROLES), ['staff']);
});

test('the highest role of all groups counts, for each team of the table (CLD-2)', () => {
  const table = [
    { group: 'staff', teamId: 't1', role: 'member' as const },
    { group: 'leads', teamId: 't1', role: 'admin' as const },
    { group: 'guests', teamId: 't1', role: 'viewer' as const },
    { group: 'others', teamId: 't2', role: 'owner' as const },
  ];
  assert.equal(
    [...chooseRoles(table, ['leads', 'staff', 'guests'])],
    [
      ['t1', 'admin'],
      ['t2', null],
    ],
  );
});

test.run();
