import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findSettingSecrets } from '../../../src/base/secrets/likelySecret.ts';
import { findArgumentSecrets } from '../../../src/base/secrets/secretArguments.ts';

const test = suite('likely secrets');

const inSetting: [name: string, value: string, secrets: string[]][] = [
  ['DSN', 'postgres://u:CANARY09pass@h/db', ['CANARY09pass']],
  ['DSN', 'postgres://u:a%40b12345@h1:5432,h2:5432/db', ['a@b12345']],
  ['DATABASE_URL', 'mysql://root:hunter2x@127.0.0.1/shop?ssl=true', ['hunter2x']],
  ['DATABASE_URL', 'host=db password=hunter2x', ['host=db password=hunter2x']],
  ['ANYTHING', 'redis://:s3cretpw@cache:6379/0', ['s3cretpw']],
  ['ANYTHING', 'https://x.example/hook?sig=f3A9zz01&mode=fast', ['f3A9zz01']],
  ['ANYTHING', 'https://x.example/docs', []],
  ['ANYTHING', 'http://localhost:3000', []],
  ['X-Plain', 'CANARY11plain', ['CANARY11plain']],
  ['X-Plain', 'canary-env-4711', ['canary-env-4711']],
  ['X-Plain', 'correct horse battery staple', ['correct horse battery staple']],
  ['X-Plain', 'Bearer abc.def-123456', ['Bearer abc.def-123456', 'abc.def-123456']],
  ['MODEL', '0123456789abcdef0123456789abcdef', ['0123456789abcdef0123456789abcdef']],
  ['API_KEY', 'abcdefgh12', ['abcdefgh12']],
  ['API_KEY', 'disabled', []],
  ['NODE_ENV', 'production', []],
  ['MODE', 'read-only', []],
  ['SHELL', '/usr/bin/bash', []],
  ['BIN', '/usr/bin', []],
  ['WHERE', '~/projects/shop', []],
  ['WHERE', './config/servers.json', []],
  ['WHERE', 'C:\\Users\\me', []],
  ['LISTEN', 'localhost:3000', []],
  ['LISTEN', '127.0.0.1:8080', []],
  ['SERVER', 'api.example.com', []],
  ['DEBUG', 'true', []],
  ['LIMIT', '1234567890', []],
  ['SINCE', '2026-11-22T10:00:00Z', []],
  ['API_VERSION', '2022-11-28', []],
  ['RELEASE', 'v1.22.333-beta.1', []],
  ['AWS_REGION', 'eu-central-1', []],
  ['SITE', 'eu-central-1', []],
  ['LLM_MODEL', 'claude-sonnet-4-5', []],
  ['LANG', 'en_US.UTF-8', []],
  ['ACCEPT', 'application/json, text/event-stream', []],
  ['OWNER', 'someone@example.com', []],
  ['OPTION', '--max-old-space', []],
  ['SHORT', 'a1B2c3d', []],
];

test('of what a tool server is handed, every value is a secret that is no plain word, name, number or path', () => {
  for (const [name, value, secrets] of inSetting)
    assert.equal(findSettingSecrets(name, value), secrets, `${name}=${value}`);
});

const inArguments: [args: string[], secrets: string[]][] = [
  [['--token', 'abc'], ['abc']],
  [['--token=abc'], ['abc']],
  [['CANARY12bare'], ['CANARY12bare']],
  [['canary-arg-4711'], ['canary-arg-4711']],
  [['ghp_0123456789abcdefghijABCDEFGHIJ012345'], ['ghp_0123456789abcdefghijABCDEFGHIJ012345']],
  [['postgresql://u:CANARYpw@h/db'], ['CANARYpw']],
  [['--dsn=postgresql://u:CANARYpw@h/db'], ['CANARYpw']],
  [['Authorization: Xy12-CANARY-34'], ['Xy12-CANARY-34']],
  [['-y', '@modelcontextprotocol/server-github@2025.4.8'], []],
  [['--config=production', '--port', '3000', 'server.js', './dist/index.js', '/opt/tools'], []],
  [['mcp-server-fetch@1.2.3', 'python3', '--stdio', 'stdio', 'http://localhost:3000/mcp'], []],
];

test('an argument is a secret after a flag for secrets, and where it looks like one', () => {
  for (const [args, secrets] of inArguments)
    assert.equal(findArgumentSecrets(args), secrets, args.join(' '));
});

test.run();
