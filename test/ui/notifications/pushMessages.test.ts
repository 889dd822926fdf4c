import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nameBrowser } from '../../../ui/notifications/nameBrowser.ts';
import { parsePushMessage } from '../../../ui/notifications/parsePushMessage.ts';

const test = suite('dashboard: messages of web push');

const UNREADABLE = {
  title: 'svc needs you',
  body: '',
  tag: 'inbox',
  hash: '#/inbox',
  at: 0,
  silent: false,
};

test('a message is shown as the runner has sent it', () => {
  const message = {
    title: 'Failed: Fix the cart',
    body: 'acme/shop',
    tag: 'job/j1',
    hash: '#/jobs/j1',
    at: 1,
    silent: true,
  };
  assert.equal(parsePushMessage(JSON.stringify(message)), message);
});

for (const text of ['', '{', 'null', '[1]', '{"hash":"https://evil.example"}'])
  test(`${text || 'an empty message'} still shows that there is something`, () => {
    assert.equal(parsePushMessage(text), UNREADABLE);
  });

for (const [name, agent] of [
  [
    'Chrome on Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Edge on Windows',
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0',
  ],
  [
    'Safari on iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1',
  ],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/18.0 Safari/605.1',
  ],
  ['Browser', 'curl/8'],
] as const)
  test(`a browser is called ${name}`, () => {
    assert.is(nameBrowser(agent), name);
  });

test.run();
