import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHAT, ChatStage, settleQueue } from '../../support/chats/chatStage.ts';
import type { ChatScript } from '../../support/chats/scriptedChat.ts';

const test = suite('plan-mode chats: a restart of the runner');

const never: ChatScript = async ({ say, look }) => {
  say('so far');
  await look('scm_read_file', { path: 'a.ts' });
  await new Promise(() => {});
  return undefined;
};
const answers: ChatScript = async ({ request, say }) => {
  say(`answer to ${request.message}`);
  return undefined;
};

/** A runner that is answering one message while others wait. */
async function busy(...waiting: string[]): Promise<ChatStage> {
  const stage = await ChatStage.open(never);
  await stage.say('one');
  for (const message of waiting) await stage.say(message, { queue: true });
  return stage;
}

/** The next runner over the same store, once nothing more happens. */
async function next({ store }: ChatStage, script: ChatScript = answers): Promise<ChatStage> {
  const stage = await ChatStage.open(script, { store });
  await settleQueue(100);
  return stage;
}

const readTurns = async ({ intake }: ChatStage) => (await intake.investigation(CHAT)).turns;

test('messages that waited are asked next, in their order, without a person (PLN-4)', async () => {
  const stage = await next(await busy('two', 'three'));
  const turns = await readTurns(stage);
  assert.equal(
    turns.map(({ state }) => state),
    ['lost', 'done', 'done'],
  );
  assert.equal(
    turns.map(({ answer }) => answer),
    ['so far\n\n', 'answer to two', 'answer to three'],
  );
  assert.equal(stage.errors, []);
  await stage.close();
});

test('the turn that was being answered is not asked again by itself', async () => {
  const stage = await next(await busy('two'));
  assert.equal(
    stage.chats.requests.map(({ message }) => message),
    ['two'],
  );
  await stage.close();
});

test('a message that waited keeps what its request said beside it', async () => {
  const first = await busy();
  const context = { recentRepos: ['acme/shop'] };
  await first.say('two', { queue: true, context });
  const stage = await next(first);
  assert.match(stage.chats.requests[0]?.message ?? '', /acme\/shop[\s\S]*two$/);
  await stage.close();
});

test('each start asks a message at most once: one that takes the runner down is lost, and the next is asked', async () => {
  const second = await next(await busy('two', 'three'), never);
  assert.equal(
    (await readTurns(second)).map(({ state }) => state),
    ['lost', 'running', 'queued'],
  );
  const third = await next(second);
  assert.equal(
    (await readTurns(third)).map(({ state }) => state),
    ['lost', 'lost', 'done'],
  );
  await third.close();
});

test('what a person says after the start comes after what waited', async () => {
  const { store } = await busy('two');
  const stage = await ChatStage.open(answers, { store });
  await stage.say('three', { queue: true });
  assert.equal(
    (await readTurns(stage)).map(({ message, answer }) => [message, answer]),
    [
      ['one', 'so far\n\n'],
      ['two', 'answer to two'],
      ['three', 'answer to three'],
    ],
  );
  await stage.close();
});

test('messages that no executor can take now have failed with the reason, and are kept', async () => {
  const { store } = await busy('two');
  const stage = new ChatStage(answers, { store });
  stage.chats.lack = 'no endpoint is configured';
  await stage.start();
  await settleQueue(100);
  const turn = (await readTurns(stage))[1];
  assert.is(turn?.state, 'failed');
  assert.is(turn?.reason, 'no-llm');
  assert.is(turn?.message, 'two');
  assert.match(turn?.error ?? '', /no endpoint is configured/);
  await stage.close();
});

test('a runner that stops in good order loses its turn too: no person has stopped it', async () => {
  const first = await ChatStage.open(async ({ say, stopped }) => {
    say('so far');
    await stopped;
    return undefined;
  });
  await first.say('one');
  await first.say('two', { queue: true });
  await first.close();
  const stage = await next(first);
  const turns = await readTurns(stage);
  assert.equal(
    turns.map(({ state, reason }) => [state, reason]),
    [
      ['lost', 'restart'],
      ['done', null],
    ],
  );
  await stage.close();
});

test.run();
