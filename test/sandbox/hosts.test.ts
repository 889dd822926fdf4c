import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Billing } from '../../src/contract/usageReport.ts';
import { hostOf, sessionHosts } from '../../src/sandbox/hosts.ts';

const test = suite('sandbox: hosts of a session');

const BILLING: Billing = { endpoint: null, vendor: null, paidBy: 'key', model: null };

test('an address is a host with its port', () => {
  assert.is(hostOf('https://api.example.com/v1'), 'api.example.com:443');
  assert.is(hostOf('http://127.0.0.1:11434/v1'), '127.0.0.1:11434');
  assert.is(hostOf('http://model.lan'), 'model.lan:80');
  assert.is(hostOf('none'), null);
});

test('the endpoint of the settings is the only host of a model', () => {
  const billing = { ...BILLING, endpoint: 'https://gateway.example/v1' };
  assert.equal(sessionHosts('claude', billing, []), ['gateway.example:443']);
});

test('without an endpoint it is that of the vendor', () => {
  assert.ok(sessionHosts('claude', BILLING, []).includes('api.anthropic.com'));
  assert.ok(
    sessionHosts('acp:opencode', { ...BILLING, vendor: 'openai' }, []).includes('api.openai.com'),
  );
});

test('the built-in agent asks its model from outside, a program of a user has none', () => {
  const billing = { ...BILLING, endpoint: 'https://gateway.example' };
  assert.equal(sessionHosts('builtin', billing, []), []);
  assert.equal(sessionHosts('command', null, []), []);
});

test('external tool servers with an address are reached', () => {
  const servers = [{ url: 'https://tools.example/mcp' }, { url: null }];
  assert.equal(sessionHosts('command', null, servers), ['tools.example:443']);
});

test.run();
