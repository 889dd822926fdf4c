import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ASK_AGAIN_MS,
  ISSUER_AWAY_MS,
  judgeLogin,
  judgeUnanswered,
  type LoginFacts,
  REFRESH_FRESH_MS,
  UNCONFIRMED_MS,
} from '../../../../src/cloud/people/signOn/confirmationRules.ts';

const test = suite("cloud: whether a login counts while people log in at a company's issuer");

const NOW = 1_000_000_000_000;
const identity = (changes: Partial<NonNullable<LoginFacts['identity']>> = {}) => ({
  authenticatedAt: 0,
  confirmedAt: 0,
  askedAt: 0,
  hasRefreshToken: true,
  ...changes,
});
const judge = (facts: Partial<LoginFacts>) =>
  judgeLogin(
    { issuerSince: 0, loggedInAt: 0, identity: null, ...facts },
    { now: NOW, freshMs: REFRESH_FRESH_MS },
  );

test('the issuer is asked again when its last answer is old (CLD-2)', () => {
  assert.is(judge({ identity: identity({ confirmedAt: NOW - REFRESH_FRESH_MS + 1 }) }), 'valid');
  assert.is(judge({ identity: identity({ confirmedAt: NOW - REFRESH_FRESH_MS }) }), 'ask');
});

test('one that has not answered is left alone for a minute, and logins last for hours (CLD-2)', () => {
  const attempt = { askedAt: NOW - ASK_AGAIN_MS + 1 };
  const recent = identity({ ...attempt, confirmedAt: NOW - ISSUER_AWAY_MS + 1 });
  const old = identity({ ...attempt, confirmedAt: NOW - ISSUER_AWAY_MS });
  assert.is(judge({ identity: recent }), 'valid');
  assert.is(judge({ identity: old }), 'away');
  assert.is(judge({ identity: { ...old, askedAt: NOW - ASK_AGAIN_MS } }), 'ask');
  assert.is(judgeUnanswered(NOW - ISSUER_AWAY_MS + 1, NOW), 'valid');
  assert.is(judgeUnanswered(NOW - ISSUER_AWAY_MS, NOW), 'away');
});

test('without a refresh token a login ends twelve hours after the last one at the issuer (CLD-2)', () => {
  const known = (authenticatedAt: number) =>
    judge({ identity: identity({ hasRefreshToken: false, authenticatedAt }) });
  assert.is(known(NOW - UNCONFIRMED_MS + 1), 'valid');
  assert.is(known(NOW - UNCONFIRMED_MS), 'ended');
});

test('an account that is not connected has twelve hours, from the login or from the change to the issuer (CLD-2)', () => {
  assert.is(judge({ loggedInAt: NOW - UNCONFIRMED_MS + 1 }), 'valid');
  assert.is(judge({ issuerSince: NOW - UNCONFIRMED_MS + 1 }), 'valid');
  assert.is(judge({ loggedInAt: NOW - UNCONFIRMED_MS }), 'ended');
});

test.run();
