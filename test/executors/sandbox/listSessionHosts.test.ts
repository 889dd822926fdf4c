import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Billing } from '../../../src/contract/session/usageReport.ts';
import {
  toHostWithPort,
  listSessionHosts,
} from '../../../src/executors/sandbox/listSessionHosts.ts';

const test = suite('sandbox: hosts of a session');

const BILLING: Billing = { endpoint: null, vendor: null, paidBy: 'key', model: null };

test('an address is a host with its port', () => {
  assert.is(toHostWithPort('https://api.example.com/v1'), 'api.example.com:443');
  assert.is(toHostWithPort('http://127.0.0.1:11434/v1'), '127.0.0.1:11434');
  assert.is(toHostWithPort('http://model.lan'), 'model.lan:80');
  assert.is(toHostWithPort('none'), null);
});

test('the endpoint of the settings is the only host of a model', () => {
  const billing = { ...BILLING, endpoint: 'https://gateway.example/v1' };
  assert.equal(listSessionHosts('claude', billing, []), ['gateway.example:443']);
});

test('without an endpoint it is that of the vendor', () => {
  assert.ok(listSessionHosts('claude', BILLING, []).includes('api.anthropic.com'));
  assert.ok(
    listSessionHosts('acp:opencode', { ...BILLING, vendor: 'openai' }, []).includes(
      'api.openai.com',
    ),
  );
});

test('the built-in agent asks its model from outside, a program of a user has none', () => {
  const billing = { ...BILLING, endpoint: 'https://gateway.example' };
  assert.equal(listSessionHosts('builtin', billing, []), []);
  assert.equal(listSessionHosts('command', null, []), []);
});

test('external tool servers with an address are reached', () => {
  const servers = [{ url: 'https://tools.example/mcp' }, { url: null }];
  assert.equal(listSessionHosts('command', null, servers), ['tools.example:443']);
});

test.run();
