import { readdirSync } from 'node:fs';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Script } from '../../../../demo/model/script.ts';
import type { ChatRequest } from '../../../../src/contract/planning/chat.ts';
import type { Executor } from '../../../../src/contract/session/executor.ts';
import { listMarkedProcesses } from '../../../../src/executors/process/processTable.ts';
import { attack, openVictim } from '../attacker.ts';
import { type ChatStage, openChatStage, joinParts } from '../chatStage.ts';

export interface ChatSubject {
  name: string;
  /** As a request names it, such as `acp:opencode`. */
  provider: string;
  model: string;
  open(modelUrl: string): Executor | Promise<Executor>;
}

const READ = { svc: 'scm_read_file', args: { path: 'src/price.ts' } };
const PREFIX = /^(mcp__svc__|mcp_svc_|svc_)/;

/** Names of the tools that the model was offered in each request of the conversation. */
const offeredIn = ({ model }: ChatStage): string[][] =>
  model.requests.played.map(({ offered }) => offered.map((name) => name.replace(PREFIX, '')));

const lastAsked = ({ model }: ChatStage): string =>
  JSON.stringify(model.requests.played.at(-1)?.body ?? {});

export function chatCases(test: Test, subject: ChatSubject): void {
  const open = (work: Script, changes: Partial<ChatRequest> = {}): Promise<ChatStage> =>
    openChatStage(
      subject.open,
      { work },
      {
        llm: { provider: subject.provider, model: subject.model, reasoningEffort: null },
        ...changes,
      },
    );

  test('chat: it looks up, answers and reports its tokens', async () => {
    await using stage = await open([
      { say: 'Let me look. ', calls: [READ], tokens: { input: 100, output: 10, cached: 0 } },
      { say: 'It is 7.', tokens: { input: 200, output: 20, cached: 0 } },
    ]);
    const { stop, error, rounds, usage } = await stage.play();
    assert.is(error, null);
    assert.is(stop, 'end');
    assert.is(rounds, 1);
    assert.equal(stage.seen, [{ name: 'scm_read_file', args: { path: 'src/price.ts' } }]);
    assert.match(joinParts(stage.parts), /Let me look\.\s+It is 7\./);
    assert.match(lastAsked(stage), 'export const price = 7;');
    assert.equal(usage, {
      inputTokens: 300,
      outputTokens: 30,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
    });
  });

  test('chat: the model is given the system prompt, the earlier turns and the message', async () => {
    await using stage = await open([{ say: 'It is 7.' }], {
      turn: 2,
      history: [
        { role: 'user', text: 'HISTORY-MARK What is in the shop?' },
        { role: 'assistant', text: 'ANSWER-MARK One price.' },
      ],
    });
    assert.is((await stage.play()).stop, 'end');
    const request = lastAsked(stage);
    const places = ['HISTORY-MARK', 'ANSWER-MARK', '@@work What is the price?'].map((mark) =>
      request.indexOf(mark),
    );
    assert.match(request, 'You look and do not touch.');
    assert.not.ok(places.includes(-1), `${places}`);
    assert.equal(
      places,
      places.toSorted((one, other) => one - other),
    );
  });

  test('chat is read-only: a model that obeys an attacker changes nothing', async () => {
    await using stage = await open([]);
    await using victim = await openVictim(stage.root);
    await using attacked = await open(attack(victim));
    const before = victim.state();
    const { stop, error } = await attacked.play();
    assert.is(error, null);
    assert.is(stop, 'end');
    assert.match(joinParts(attacked.parts), 'I tried everything.');
    assert.equal(victim.state(), before, 'the checkout and its git');
    assert.equal(victim.requests, [], 'requests to the tracker');
    assert.equal(readdirSync(attacked.root), ['state'], 'beside the folder of the chat');
    const leftProcesses = await listMarkedProcesses((marker) => marker === attacked.request.marker);
    assert.equal(leftProcesses, [], 'processes that are left');
    assert.ok(attacked.seen.length > 0, 'the tools of the chat were called');
    for (const { name } of attacked.seen) assert.is(name, 'scm_read_file');
  });

  test('chat is read-only: the model is offered the tools of the chat and no other', async () => {
    await using stage = await open([{ calls: [READ] }, { say: 'It is 7.' }]);
    await stage.play();
    const offers = offeredIn(stage);
    assert.ok(offers.length >= 2);
    for (const names of offers)
      assert.equal(names.toSorted(), ['scm_read_file', 'tracker_get_issue']);
  });

  test('chat: a model that never stops calling is stopped after its rounds, and that is no error', async () => {
    await using stage = await open(
      Array.from({ length: 20 }, () => ({ calls: [READ] })),
      { maxRounds: 4 },
    );
    const { stop, error, rounds } = await stage.play();
    assert.is(error, null);
    assert.is(stop, 'rounds');
    assert.is(rounds, 4);
    assert.is(stage.seen.length, 4);
    assert.ok(stage.model.requests.played.length <= 10, `${stage.model.requests.played.length}`);
  });

  test('chat: an abort stops the turn with its text so far, and leaves no process', async () => {
    const stop = new AbortController();
    await using stage = await open([{ say: 'Word by word by word.', hang: 'midway' }], {
      signal: stop.signal,
    });
    const run = await stage.start();
    await stage.until(({ type }) => type === 'token');
    stop.abort();
    const { stop: why, error } = await run.result;
    assert.is(why, 'interrupted');
    assert.is(error, null);
    assert.is.not(joinParts(stage.parts), '');
    assert.equal(await listMarkedProcesses((marker) => marker === stage.request.marker), []);
  });

  test('chat: an answer that broke off is asked for again, and what had come of it is void', async () => {
    await using stage = await open([{ say: 'One long line of words, in pieces.', cut: 1 }]);
    const { stop, error } = await stage.play();
    assert.is(error, null);
    assert.is(stop, 'end');
    const again = stage.parts.findLastIndex(({ type }) => type === 'again');
    // If no answer broke off, nothing is void.
    assert.is(
      joinParts(stage.parts.slice(Math.max(0, again))),
      'One long line of words, in pieces.',
    );
  });

  test('chat: what the endpoint refuses is an error that says what is wrong', async () => {
    await using stage = await open([
      { fail: { status: 400, message: 'the reason of the endpoint' } },
    ]);
    const { stop, error } = await stage.play();
    assert.is(stop, 'error');
    assert.match(error ?? '', 'the reason of the endpoint');
  });
}
