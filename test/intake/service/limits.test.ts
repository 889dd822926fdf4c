import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChatResult } from '../../../src/contract/planning/chat.ts';
import type { ClosedAccount, TurnAccount } from '../../../src/intake/turnAccount.ts';
import { CHAT, ChatStage } from '../../support/chats/chatStage.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('plan-mode chats: limits of accounts');

const ACCOUNT_ID = 'pool:anthropic:https://api.example:0123456789ab';
const USED_UP: ClosedAccount = {
  accountId: ACCOUNT_ID,
  kind: 'exhausted',
  window: '5 hours',
  resetsAt: Date.UTC(2026, 0, 1, 13),
};
const SAID = `The model was not asked: ${ACCOUNT_ID} is exhausted (limit of 5 hours). It takes requests again at 2026-01-01T13:00:00.000Z.`;

class FakeAccount implements TurnAccount {
  limit: ClosedAccount | null = null;
  readonly seen: string[] = [];
  readonly ends: ChatResult['stop'][] = [];
  triedAgain: number | null = null;

  async enter(): Promise<void> {}

  findLimit(): ClosedAccount | null {
    return this.limit;
  }

  take({ type }: { type: string }): void {
    this.seen.push(type);
  }

  async reportEnd({ stop }: ChatResult): Promise<number | null> {
    this.ends.push(stop);
    return this.triedAgain;
  }
}

test('a chat whose account is exhausted says until when, and its model is not asked', async () => {
  const account = new FakeAccount();
  account.limit = USED_UP;
  const stage = await ChatStage.open(async ({ say }) => void say('Yes.'), {
    openTurnAccount: () => account,
  });
  const { last } = await stage.say('go');
  assert.equal(last, { type: 'error', message: SAID, reason: 'quota' });
  assert.equal(stage.chats.requests, []);
  await stage.close();
});

test('a person settles missing money, and is given the command', async () => {
  const account = new FakeAccount();
  account.limit = { ...USED_UP, kind: 'billing', resetsAt: null };
  const stage = await ChatStage.open(async () => undefined, { openTurnAccount: () => account });
  const { last } = await stage.say('go');
  assert.match(
    last?.type === 'error' ? last.message : '',
    `Pay its bill, run svc accounts retry ${ACCOUNT_ID}, and ask again.`,
  );
  await stage.close();
});

test('the message is kept, and once the limit is over the chat continues', async () => {
  const account = new FakeAccount();
  account.limit = USED_UP;
  const stage = await ChatStage.open(async ({ say }) => void say('Yes.'), {
    openTurnAccount: () => account,
  });
  await stage.say('go');
  account.limit = null;
  assert.is((await stage.say('and now?')).text, 'Yes.');
  const { turns } = await stage.intake.investigation(CHAT);
  assert.equal(
    turns.map(({ message, state }) => [message, state]),
    [
      ['go', 'failed'],
      ['and now?', 'done'],
    ],
  );
  await stage.close();
});

test('a limit that another session meets ends a turn after its look-up, with what it has found', async () => {
  const account = new FakeAccount();
  const stage = await ChatStage.open(
    async ({ say, look, stopped }) => {
      say('I look.');
      account.limit = USED_UP;
      await look('scm_read_file', { path: 'a.ts' });
      await stopped;
      return undefined;
    },
    { openTurnAccount: () => account },
  );
  const { last } = await stage.say('go');
  assert.equal(last, { type: 'error', message: SAID, reason: 'quota' });
  const { turns, evidence } = await stage.intake.investigation(CHAT);
  assert.is(turns[0]?.answer, 'I look.\n\n');
  assert.is(evidence.length, 1);
  await stage.close();
});

test('what a turn meets and is answered is reported to the account', async () => {
  const account = new FakeAccount();
  account.triedAgain = USED_UP.resetsAt;
  const stage = await ChatStage.open(
    async ({ say, part }) => {
      say('Half.');
      part({ type: 'limits', used: 0.9, window: null, resetsAt: null });
      return { stop: 'quota', error: 'The quota is used up.' };
    },
    { openTurnAccount: () => account },
  );
  const { last } = await stage.say('go');
  assert.equal([account.seen, account.ends], [['token', 'limits'], ['quota']]);
  assert.is(
    last?.type === 'error' && last.message,
    'The quota is used up. It takes requests again at 2026-01-01T13:00:00.000Z.',
    'when the account is tried again, though the endpoint has named no time',
  );
  await stage.close();
});

test('while a disk is low no turn begins, and the refusal says why', async () => {
  const stage = await ChatStage.open(async ({ say }) => void say('Yes.'));
  stage.disk.reason = 'the disk of /var/svc has 300 MB free';
  const error = await catchRefusal(() => stage.intake.ask({ sessionId: CHAT, message: 'Hello' }));
  assert.is(error.code, 'cannot-run');
  assert.match(error.message, 'the disk of /var/svc has 300 MB free');
  await stage.close();
});

test.run();
