import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseGroupRole } from '../../cli/input/parseGroupRole.ts';
import { formatSignOn } from '../../cli/render/cloud/formatSignOn.ts';
import { codeOfRefusal } from '../support/refusal.ts';

const test = suite('cli: the issuer of a control plane');

test('a role of a group, whose name may have signs in it (CLD-2)', () => {
  assert.equal(parseGroupRole('svc-admins=acme:admin'), {
    group: 'svc-admins',
    team: 'acme',
    role: 'admin',
  });
  assert.equal(parseGroupRole('CN=svc:users=acme:member').group, 'CN=svc:users');
});

for (const wrong of ['', 'staff', 'staff=acme', 'staff=acme:boss', '=acme:admin', 'staff=:admin'])
  test(`"${wrong}" is no role of a group (CLD-2)`, async () => {
    assert.is(await codeOfRefusal(() => parseGroupRole(wrong)), 'bad-argument');
  });

test('without an issuer the redirect URI is shown, for its registration (CLD-2)', () => {
  const redirectUri = 'https://svc.example/auth/callback';
  assert.match(formatSignOn({ redirectUri, issuer: null }), redirectUri);
});

test('a secret that cannot be read is reported (CLD-2)', () => {
  const issuer = {
    issuer: 'https://login.example',
    clientId: 'svc',
    domains: ['svc.example'],
    scopes: [],
    groupsClaim: 'groups',
    trustsEmail: false,
    roles: [],
    isSecretReadable: false,
    connected: 0,
    accounts: 1,
  };
  const text = formatSignOn({ redirectUri: 'https://svc.example/auth/callback', issuer });
  assert.match(text, 'SVC_CLOUD_KEY');
  const readable = { ...issuer, isSecretReadable: true };
  assert.not.match(formatSignOn({ redirectUri: 'x', issuer: readable }), 'SVC_CLOUD_KEY');
});

test.run();
