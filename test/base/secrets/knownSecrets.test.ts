import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import {
  LEAST_SECRET_CHARS,
  screenTexts,
  screenSecrets,
} from '../../../src/base/secrets/screenSecrets.ts';
import { screenSecretForms } from '../../../src/base/secrets/secretForms.ts';
import { ScreenedParts } from '../../../src/executors/process/screenedParts.ts';

/** With characters that JSON, addresses, forms and base64 each write in another way. */
const SECRET = 'p+ss "w/rd? ~>é';

const test = suite('known secrets');

test('a secret is found in every form in which text carries it', () => {
  const { screen } = new KnownSecrets([SECRET]);
  const forms = {
    plain: SECRET,
    json: JSON.stringify(SECRET).slice(1, -1),
    address: encodeURIComponent(SECRET),
    form: new URLSearchParams({ p: SECRET }).toString().slice(2),
    base64: Buffer.from(SECRET).toString('base64').replace(/=+$/, ''),
    base64url: Buffer.from(SECRET).toString('base64url'),
  };
  for (const [name, form] of Object.entries(forms)) {
    const screened = screen(`before ${form} after`);
    assert.ok(/^before \[secret\]\S? after$/.test(screened), `${name}: ${screened}`);
  }
});

test('a secret that is encoded together with other text is found at each of the places that it can begin at', () => {
  const { screen } = new KnownSecrets(['correct-horse-battery']);
  for (const before of ['', 'u', 'us', 'use', 'user:']) {
    for (const after of ['', 'x', 'xy', 'xyz']) {
      const text = Buffer.from(`${before}correct-horse-battery${after}`).toString('base64');
      const screened = screen(text);
      assert.ok(screened.includes('[secret]'), `${before}|${after}: ${screened}`);
      // What is left holds at most the neighbours and the bits that they share with the secret.
      const rest = Buffer.from(screened.replace('[secret]', ''), 'base64').toString();
      assert.not.ok(rest.includes('orse'), rest);
    }
  }
});

test('a secret that is part of another leaves nothing of it', () => {
  const secrets = new KnownSecrets(['token-one', 'token-one-and-more']);
  assert.is(secrets.screen('token-one token-one-and-more'), '[secret] [secret]');
});

test('one rule for all: below the least length no secret is taken out of a text, from it on each is', () => {
  const short = 'k'.repeat(LEAST_SECRET_CHARS - 1);
  const long = 'k'.repeat(LEAST_SECRET_CHARS);
  const ways: Readonly<Record<string, (secret: string) => (text: string) => string>> = {
    'of the process': (secret) => new KnownSecrets([secret]).screen,
    'of a session': (secret) => screenSecrets([secret]),
    'in all forms': (secret) => screenSecretForms([secret]),
    'in a stream': (secret) => (text) => {
      const stream = new KnownSecrets([secret]).stream();
      return Buffer.concat([stream.push(Buffer.from(text)), stream.end()]).toString();
    },
    'in parts': (secret) => (text) => {
      let output = '';
      const parts = new ScreenedParts([secret], (part) => {
        output += part;
      });
      for (const character of text) parts.push(character);
      parts.end();
      return output;
    },
  };
  for (const [name, way] of Object.entries(ways)) {
    assert.is(way('k')('tasks'), 'tasks', name);
    assert.is(way(short)(`a ${short} b`), `a ${short} b`, name);
    assert.is(way(long)(`a ${long} b`), 'a [secret] b', name);
  }
});

test('half a surrogate pair in a secret does no harm', () => {
  assert.is(new KnownSecrets(['secret-\ud800-half']).screen('secret-\ud800-half'), '[secret]');
});

test('texts at any depth are screened, names of members are not', () => {
  const { screen } = new KnownSecrets(['known-secret']);
  assert.equal(
    screenTexts({ 'known-secret': ['a known-secret', 7, null, { b: 'known-secret' }] }, screen),
    {
      'known-secret': ['a [secret]', 7, null, { b: '[secret]' }],
    },
  );
});

test.run();
