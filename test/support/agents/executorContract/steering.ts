import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { isAlive } from '../sessionRequest.ts';
import { fileIsThere, openStage, type Stage, type Subject, timesAsked } from './stage.ts';

/** Longest wait for an acknowledgement, ms. */
const ACK_MS = 5_000;
/** A command that runs until a file exists, and writes its process id first. */
const WAITS = {
  shell: 'echo $$ > pid; while [ ! -f go ]; do sleep 0.05; done; echo went | tr a-z A-Z',
};

const listTurns = ({ events }: Stage) =>
  events.flatMap((event) => (event.type === 'turn' ? [event.stopReason] : []));
const listMessageStates = ({ events }: Stage, id: string) =>
  events.flatMap((event) => (event.type === 'message' && event.id === id ? [event.state] : []));
const turn = (stage: Stage, count: number) =>
  stage.until(({ type }) => type === 'turn' && listTurns(stage).length >= count);

export function steeringCases(test: Test, subject: Subject): void {
  test('a message in the middle of a turn reaches the model once, within the turn where the executor folds (STR-2)', async () => {
    await using stage = await openStage(subject, {
      work: [{ calls: [WAITS] }, { say: 'I heed it.' }],
    });
    const { session, steering } = await stage.start();
    const { foldMidTurn } = stage.executor.capabilities;
    await fileIsThere(join(stage.dir, 'pid'));
    if (foldMidTurn) steering.send([{ id: 'm1', text: '[DEVELOPER MESSAGE] Use tabs.' }]);
    await writeFile(join(stage.dir, 'go'), '');
    await turn(stage, 1);
    if (!foldMidTurn) {
      steering.send([{ id: 'm1', text: '[DEVELOPER MESSAGE] Use tabs.' }]);
      await turn(stage, 2);
    }
    steering.close();
    assert.is((await session.result).stopReason, 'end_turn');
    assert.is(timesAsked(stage, '[DEVELOPER MESSAGE] Use tabs.'), 1);
    assert.is(timesAsked(stage, 'WENT'), 1);
    assert.equal(listMessageStates(stage, 'm1'), ['delivered', 'acknowledged']);
    assert.equal(listTurns(stage), foldMidTurn ? ['end_turn'] : ['end_turn', 'end_turn']);
  });

  test('a message while the model says its last words is not lost', async () => {
    await using stage = await openStage(subject, {
      work: [{ say: 'My last words, said slowly and in many pieces.', everyMs: 60 }],
    });
    if (!stage.executor.capabilities.foldMidTurn) return;
    const { session, steering } = await stage.start();
    await stage.until(({ type }) => type === 'token');
    steering.send([{ id: 'm1', text: 'One more thing.' }]);
    steering.close();
    assert.is((await session.result).stopReason, 'end_turn');
    assert.is(timesAsked(stage, 'One more thing.'), 1);
    assert.equal(listMessageStates(stage, 'm1'), ['delivered', 'acknowledged']);
  });

  test('an interrupt in the middle of an answer closes the request, and the session continues with the next message (STR-1)', async () => {
    await using stage = await openStage(subject, {
      work: [{ say: 'The beginning of a long answer that never ends.', hang: 'midway' }],
      other: [{ say: 'Another way.' }],
    });
    const { session, steering } = await stage.start();
    await stage.until(({ type }) => type === 'token');
    const startedAt = performance.now();
    assert.is(await steering.interrupt(ACK_MS), true);
    assert.ok(performance.now() - startedAt < ACK_MS);
    assert.is(
      (
        await stage.model.requests.until(
          ({ script, outcome }) => script === 'work' && outcome !== null,
        )
      ).outcome,
      'disconnected',
    );
    await turn(stage, 1);
    assert.is(await steering.interrupt(ACK_MS), true, 'between turns it is acknowledged at once');
    steering.send([{ id: 'm1', text: 'Do it @@other.' }]);
    await turn(stage, 2);
    steering.close();
    assert.is((await session.result).stopReason, 'end_turn');
    assert.equal(listTurns(stage), ['interrupted', 'end_turn']);
    assert.equal(listMessageStates(stage, 'm1'), ['delivered', 'acknowledged']);
  });

  test('an interrupt in the middle of a command ends the command, and what was done before is kept (STR-3)', async () => {
    await using stage = await openStage(subject, {
      work: [{ calls: [{ shell: 'echo kept-result' }] }, { calls: [WAITS] }],
      other: [{ say: 'Another way.' }],
    });
    const { session, steering } = await stage.start();
    await fileIsThere(join(stage.dir, 'pid'));
    assert.is(await steering.interrupt(ACK_MS), true);
    await turn(stage, 1);
    const pid = Number(await readFile(join(stage.dir, 'pid'), 'utf8'));
    // Programs say that they have stopped a moment before their commands have.
    for (let looks = 0; subject.isProgram && looks < 200 && (await isAlive(pid)); looks += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.is(await isAlive(pid), false);
    steering.send([{ id: 'm1', text: 'Do it @@other.' }]);
    await turn(stage, 2);
    steering.close();
    assert.is((await session.result).stopReason, 'end_turn');
    assert.ok(timesAsked(stage, 'kept-result') >= 1);
    assert.equal(listTurns(stage), ['interrupted', 'end_turn']);
  });

  test('messages between turns begin the next one together; close ends the session between turns at once', async () => {
    await using stage = await openStage(subject, { work: [{ say: 'Done.' }] });
    const { session, steering } = await stage.start();
    await turn(stage, 1);
    steering.send([
      { id: 'm1', text: 'First addition.' },
      { id: 'm2', text: 'Second addition.' },
    ]);
    await turn(stage, 2);
    assert.is(timesAsked(stage, 'First addition.') + timesAsked(stage, 'Second addition.'), 2);
    steering.close();
    steering.send([{ id: 'm3', text: 'Too late.' }]);
    assert.is((await session.result).stopReason, 'end_turn');
    assert.equal(listTurns(stage), ['end_turn', 'end_turn']);
  });

  test('a session that is ended in the middle of a command leaves no process and says nothing more (JOB-9)', async () => {
    await using stage = await openStage(subject, { work: [{ calls: [WAITS] }] });
    const { session } = await stage.start();
    await fileIsThere(join(stage.dir, 'pid'));
    await session.end(500);
    assert.equal((await session.result).stopReason, 'interrupted');
    const pid = Number(await readFile(join(stage.dir, 'pid'), 'utf8'));
    assert.is(await isAlive(pid), false);
    const before = stage.events.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.is(stage.events.length, before);
  });

  test('heal says whether the agent reaches its tool server', async () => {
    await using stage = await openStage(subject, { work: [{ say: 'Done.' }] });
    const { steering } = await stage.start();
    await turn(stage, 1);
    assert.is(await steering.heal(), true);
  });

  test('a session can be continued by its id, if the executor supports it', async () => {
    await using stage = await openStage(subject, { work: [{ say: 'The first part is done.' }] });
    if (!stage.executor.capabilities.resume) return;
    await stage.play();
    const sessionEvent = stage.events.findLast(({ type }) => type === 'session');
    const sessionDir = join(stage.request.sessionDir, '..', '2.2');
    await stage.play({
      sessionDir,
      resume: sessionEvent?.type === 'session' ? sessionEvent.id : null,
      kickoff: 'Continue @@work.',
    });
    assert.is(timesAsked(stage, 'The first part is done.'), 1);
    await stage.play({
      sessionDir: join(sessionDir, '..', '2.3'),
      resume: 'f2b1c7b4-4b6e-4d0f-9f0e-000000000000',
    });
    assert.is(timesAsked(stage, 'The first part is done.'), 0);
    assert.ok(stage.events.some((event) => event.type === 'log' && event.stream === 'control'));
  });
}
