import { Ansis } from 'ansis';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runPlanTurn } from '../../cli/remote/runPlanTurn.ts';
import type { ChatTurn, Investigation } from '../../src/contract/schema/planning/intake.ts';
import type { IntakeFrame } from '../../src/contract/schema/planning/intakeFrames.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('a turn of svc plan in the terminal');

const createStream = (frames: readonly IntakeFrame[]): Response =>
  new Response(
    frames.map((frame, n) => `id: 1.${n + 1}\ndata: ${JSON.stringify(frame)}\n\n`).join(''),
    { headers: { 'content-type': 'text/event-stream' } },
  );

/** The command over a runner that sends these frames; `stored`: the turn as it is read then. */
async function askRunner(
  streams: readonly (readonly IntakeFrame[])[],
  turn: Partial<ChatTurn> = {},
): Promise<{ end: string; out: string; err: string }> {
  const remaining = [...streams];
  const next = async () => createStream(remaining.shift() ?? []);
  let out = '';
  let err = '';
  const session = { turns: [{ n: 1, ...turn }], lastFrame: '1.9' } as Investigation;
  const end = await runPlanTurn({
    client: {
      intakeStream: next,
      watchInvestigation: next,
      investigation: async () => session,
      stopInvestigation: async () => ({ stopped: true }),
    },
    body: { sessionId: 'chat-1', message: 'Why?' },
    io: {
      color: new Ansis(0),
      err: (text) => {
        err += text;
      },
      onInterrupt: () => () => {},
    },
    show: (text) => {
      out += text;
    },
  });
  return { end, out, err };
}

const TURN: IntakeFrame = { type: 'turn', n: 1, message: 'Why?' };
const token = (text: string): IntakeFrame => ({ type: 'token', text });
const DONE: IntakeFrame = {
  type: 'done',
  state: 'done',
  rounds: 0,
  fallback: false,
  pinned: null,
};
const GAP: IntakeFrame = { type: 'gap' };

test('an answer is shown as it comes, without its hidden blocks', async () => {
  const { end, out } = await askRunner([[TURN, token('Because.\n<run>\n{}\n</run>'), DONE]]);
  assert.is(end, 'done');
  assert.is(out, 'Because.\n\n');
});

test('a look-up that failed is not marked as text from outside', async () => {
  const failed: IntakeFrame = {
    type: 'tool_end',
    id: 'E1',
    name: 'scm_read_file',
    target: 'src/none.ts',
    n: 1,
    ok: false,
    ms: 3,
    evidence: 'E1',
    trust: 'outside',
    chars: 20,
    round: 1,
  };
  const { err } = await askRunner([[TURN, failed, DONE]]);
  assert.is(err, 'scm_read_file src/none.ts, 3 ms (failed)\n');
});

test('a turn that the runner has lost is no answer (PLN-4)', async () => {
  const error = await catchRefusal(() =>
    askRunner([[TURN, token('Bec'), GAP]], { state: 'lost', reason: 'restart' }),
  );
  assert.match(error.message, 'The runner ended in the middle of this answer');
  assert.match(error.message, 'svc plan --continue chat-1');
});

test('a turn that has failed while frames were missing says why', async () => {
  const error = await catchRefusal(() =>
    askRunner([[TURN, GAP]], { state: 'failed', error: 'The key is refused.', reason: 'error' }),
  );
  assert.match(error.message, 'The key is refused.');
});

test('a turn that continues after missing frames is watched to its end', async () => {
  const { end, out, err } = await askRunner(
    [
      [TURN, token('One '), GAP],
      [token('three.'), DONE],
    ],
    {
      state: 'running',
    },
  );
  assert.is(end, 'done');
  assert.is(out, 'One three.\n');
  assert.match(err, 'Part of the answer is not shown here');
});

test.run();
